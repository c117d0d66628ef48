// SPDX-License-Identifier: Apache-2.0
// Order of the cube core without a flag, and between an AIC and its AIVs: T21, T22, T33.
#include "cube.h"

__aicore__ inline void FetchAndLoad(Cube& u, uint16_t steps) {
    u.Fetch();
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    for (uint16_t step = 0; step < steps; ++step) u.Load(step);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
}

// 16 fractals: large enough that the second product comes behind the first.
extern "C" __global__ __cube__ void t21_large_products(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Cube u(in, 64, 64, 32);
    FetchAndLoad(u, 2);
    Mmad(u.c, u.a2, u.b2, u.Step(0));
    Mmad(u.c, u.a2[64 * 16], u.b2[64 * 16], u.Step(1));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(Floats(out), u.c, u.Out());
}

extern "C" __global__ __cube__ void t22_unit_flags(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Cube u(in, 64, 64, 48);
    FetchAndLoad(u, 3);
    Mmad(u.c, u.a2, u.b2, u.Step(0, 2));
    Mmad(u.c, u.a2[64 * 16], u.b2[64 * 16], u.Step(1, 2));
    Mmad(u.c, u.a2[2 * 64 * 16], u.b2[2 * 64 * 16], u.Step(2, 3));
    Fixpipe(Floats(out), u.c, u.Out(3));
}

// Two products through one workspace: ready to the AIVs, free back to the AIC.
extern "C" __global__ __mix__(1, 2) void t33_there_and_back(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    LocalTensor<float> part(TPosition::VECCALC, 0, 128);
    if ASCEND_IS_AIV InitSocState();
    for (int i = 0; i < 2; ++i) {
        if ASCEND_IS_AIC {
            Cube u(in, 16, 16, 16);
            if (i) PipeBarrier<PIPE_ALL>();
            FetchAndLoad(u, 1);
            Mmad(u.c, u.a2, u.b2, u.Step(0));
            SetFlag<HardEvent::M_FIX>(0);
            WaitFlag<HardEvent::M_FIX>(0);
            if (i) CrossCoreWaitFlag(1);
            Fixpipe(Floats(work), u.c, u.Out());
            CrossCoreSetFlag<2, PIPE_FIX>(0);
        } else {
            CrossCoreWaitFlag(0);
            if (i) WaitFlag<HardEvent::MTE3_MTE2>(0);
            DataCopy(part, Floats(work, GetSubBlockIdx() * 128), 128);
            if (i == 0) CrossCoreSetFlag<2, PIPE_MTE2>(1);
            SetFlag<HardEvent::MTE2_V>(0);
            WaitFlag<HardEvent::MTE2_V>(0);
            Adds(part, part, 1.0f, 128);
            SetFlag<HardEvent::V_MTE3>(0);
            WaitFlag<HardEvent::V_MTE3>(0);
            DataCopy(Floats(out, i * 256 + GetSubBlockIdx() * 128), part, 128);
            if (i == 0) SetFlag<HardEvent::MTE3_MTE2>(0);
        }
    }
}
