// SPDX-License-Identifier: Apache-2.0
// The chain of the cube core, and the way to its AIVs, M32 to M34.
#include "cube.h"

extern "C" __global__ __cube__ void m32_no_flag_to_m(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Cube u(in, 16, 16, 16);
    u.Fetch();
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    u.Load(0);
    //+ SetFlag<HardEvent::MTE1_M>(0);
    //+ WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(u.c, u.a2, u.b2, u.Step(0));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(Floats(out), u.c, u.Out());
}

extern "C" __global__ __cube__ void m32_no_flag_to_fix(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Cube u(in, 16, 16, 16);
    u.Fetch();
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    u.Load(0);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(u.c, u.a2, u.b2, u.Step(0));
    //+ SetFlag<HardEvent::M_FIX>(0);
    //+ WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(Floats(out), u.c, u.Out());
}

extern "C" __global__ __cube__ void m32_no_barrier_of_m(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Cube u(in, 16, 16, 32);
    u.Fetch();
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    u.Load(0);
    u.Load(1);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(u.c, u.a2, u.b2, u.Step(0));
    //+ PipeBarrier<PIPE_M>();
    Mmad(u.c, u.a2[256], u.b2[256], u.Step(1));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(Floats(out), u.c, u.Out());
}

__aicore__ inline void Multiply(Cube& u) {
    u.Fetch();
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    u.Load(0);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(u.c, u.a2, u.b2, u.Step(0));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
}

// Each AIV takes half of the product on.
__aicore__ inline void Fetch(GM_ADDR work) { DataCopy(LocalTensor<float>(TPosition::VECCALC, 0, 128), Floats(work, GetSubBlockIdx() * 128), 128); }
__aicore__ inline void Store(GM_ADDR out) {
    LocalTensor<float> half_of(TPosition::VECCALC, 0, 128);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(half_of, half_of, 1.0f, 128);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(Floats(out, GetSubBlockIdx() * 128), half_of, 128);
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
}

extern "C" __global__ __mix__(1, 2) void m33_set_of_other_pipe(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    if ASCEND_IS_AIC {
        Cube u(in, 16, 16, 16);
        Multiply(u);
        Fixpipe(Floats(work), u.c, u.Out());
        CrossCoreSetFlag<2, PIPE_M>(0); //-
        //+ CrossCoreSetFlag<2, PIPE_FIX>(0);
    } else {
        InitSocState();
        CrossCoreWaitFlag(0);
        Fetch(work);
        Store(out);
    }
}

// The same bytes of the workspace twice.
extern "C" __global__ __mix__(1, 2) void m34_no_flag_back(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    for (int i = 0; i < 2; ++i) {
        if ASCEND_IS_AIC {
            Cube u(in, 16, 16, 16);
            if (i) PipeBarrier<PIPE_ALL>();
            Multiply(u);
            //+ if (i) CrossCoreWaitFlag(1);
            Fixpipe(Floats(work), u.c, u.Out());
            CrossCoreSetFlag<2, PIPE_FIX>(0);
        } else {
            InitSocState();
            CrossCoreWaitFlag(0);
            Fetch(work);
            //+ if (i == 0) CrossCoreSetFlag<2, PIPE_MTE2>(1);
            Store(out);
        }
    }
}
