// SPDX-License-Identifier: Apache-2.0
// Queues in every form, and the mistakes one can make with them. x and z: 1024 floats; z = x + 1 where a kernel computes at all.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 128, TILES = 8;

struct Ends {
    GlobalTensor<float> from, to;
    __aicore__ inline Ends(GM_ADDR x, GM_ADDR z) {
        from.SetGlobalBuffer((__gm__ float*)x, TILE * TILES);
        to.SetGlobalBuffer((__gm__ float*)z, TILE * TILES);
    }
};

template <int32_t depth, int32_t buffers> __aicore__ inline void PlusOne(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    Ends ends(x, z);
    TQue<TPosition::VECIN, depth> in;
    TQue<TPosition::VECOUT, depth> out;
    pipe.InitBuffer(in, buffers, TILE * sizeof(float));
    pipe.InitBuffer(out, buffers, TILE * sizeof(float));
    for (uint32_t t = 0; t < TILES; ++t) {
        LocalTensor<float> a, b;
        in.template AllocTensor<float>(a);
        DataCopy(a, ends.from[t * TILE], TILE);
        in.EnQue(a);
        in.template DeQue<float>(a);
        out.template AllocTensor<float>(b);
        Adds(b, a, 1.0f, TILE);
        in.FreeTensor(a);
        out.EnQue(b);
        out.template DeQue<float>(b);
        DataCopy(ends.to[t * TILE], b, TILE);
        out.FreeTensor(b);
    }
}
extern "C" __global__ __aicore__ void one_buffer(GM_ADDR x, GM_ADDR z) { PlusOne<1, 1>(x, z); }
extern "C" __global__ __aicore__ void two_buffers(GM_ADDR x, GM_ADDR z) { PlusOne<2, 2>(x, z); }
extern "C" __global__ __aicore__ void in_place(GM_ADDR x, GM_ADDR z) { PlusOne<0, 2>(x, z); }

// z = x + 1: four VECIN queues of two buffers take all ids of V_MTE2, and the queue between them hands on what V made.
template <int32_t depth> __aicore__ inline void PlusOneOfFour(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    Ends ends(x, z);
    TQue<TPosition::VECIN, 2> in[4];
    TQue<TPosition::VECCALC, depth> middle;
    TQue<TPosition::VECOUT, 2> out;
    for (auto& each : in) pipe.InitBuffer(each, 2, TILE * sizeof(float));
    pipe.InitBuffer(middle, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    for (uint32_t t = 0; t < TILES; ++t) {
        LocalTensor<float> parts[4], sum, result;
        for (int i = 0; i < 4; ++i) {
            parts[i] = in[i].template AllocTensor<float>();
            DataCopy(parts[i], ends.from[t * TILE], TILE);
            in[i].EnQue(parts[i]);
        }
        for (int i = 0; i < 4; ++i) parts[i] = in[i].template DeQue<float>();
        middle.template AllocTensor<float>(sum);
        Adds(sum, parts[0], 1.0f, TILE);
        for (int i = 1; i < 4; ++i) Max(parts[0], parts[0], parts[i], TILE);
        middle.EnQue(sum);
        middle.template DeQue<float>(sum);
        result = out.AllocTensor<float>();
        Adds(result, sum, 0.0f, TILE);
        middle.FreeTensor(sum);
        for (int i = 0; i < 4; ++i) in[i].FreeTensor(parts[i]);
        out.EnQue(result);
        result = out.DeQue<float>();
        DataCopy(ends.to[t * TILE], result, TILE);
        out.FreeTensor(result);
    }
    middle.FreeAllEvent();
}
extern "C" __global__ __aicore__ void between_two(GM_ADDR x, GM_ADDR z) { PlusOneOfFour<2>(x, z); }
extern "C" __global__ __aicore__ void between_in_place(GM_ADDR x, GM_ADDR z) { PlusOneOfFour<0>(x, z); }

// A VECCALC queue with the pipes of a copy, given by name.
extern "C" __global__ __aicore__ void named_positions(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    Ends ends(x, z);
    TQue<TPosition::VECCALC, 1> all;
    pipe.InitBuffer(all, 1, TILE * TILES * sizeof(float));
    auto tile = all.AllocTensor<float>();
    DataCopy(tile, ends.from, TILE * TILES);
    all.EnQue<TPosition::GM, TPosition::VECCALC>(tile);
    tile = all.DeQue<TPosition::GM, TPosition::VECCALC, float>();
    Adds(tile, tile, 1.0f, TILE * TILES);
    all.EnQue<TPosition::VECCALC, TPosition::GM>(tile);
    tile = all.DeQue<TPosition::VECCALC, TPosition::GM, float>();
    DataCopy(ends.to, tile, TILE * TILES);
    all.FreeTensor(tile);
}

// What InitBuffer has not taken is there for a moment.
extern "C" __global__ __aicore__ void rest_of_ub(GM_ADDR x, GM_ADDR z, GM_ADDR found) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> taken;
    pipe.InitBuffer(taken, 4096);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, 1024);
    to.SetGlobalBuffer((__gm__ float*)z, 1024);
    LocalTensor<float> rest;
    const bool is_there = PopStackBuffer<float, TPosition::LCM>(rest);
    ((__gm__ int32_t*)found)[0] = is_there;
    ((__gm__ int32_t*)found)[1] = static_cast<int32_t>(rest.GetSize());
    DataCopy(rest, from, 1024);
    PipeBarrier<PIPE_ALL>();
    Adds(rest, rest, 1.0f, 1024);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, rest, 1024);
    TBuf<TPosition::VECCALC> all;
    pipe.InitBuffer(all, ASC_UB_SIZE - 4096);
    ((__gm__ int32_t*)found)[2] = PopStackBuffer<float, TPosition::LCM>(rest);
}

// All tiles in flight at once, tags travel with them; then out the other way round.
extern "C" __global__ __aicore__ void deep_queue(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    Ends ends(x, z);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, TILES> bind;
    pipe.InitBuffer(bind, TILES, TILE * sizeof(float));
    for (uint32_t t = 0; t < TILES; ++t) {
        auto tile = bind.AllocTensor<float>();
        DataCopy(tile, ends.from[t * TILE], TILE);
        tile.SetUserTag(TILES - 1 - t);
        bind.EnQue(tile);
    }
    assert(!bind.VacantInQue() && bind.HasTensorInQue() && !bind.HasIdleBuffer() && bind.GetTensorCountInQue() == TILES);
    while (bind.HasTensorInQue()) {
        auto tile = bind.DeQue<float>();
        DataCopy(ends.to[tile.GetUserTag() * TILE], tile, TILE);
        bind.FreeTensor(tile);
    }
}

// Pools over the same memory, one after the other; Reset of the pipe, and new queues after it.
extern "C" __global__ __aicore__ void pools(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    Ends ends(x, z);
    for (uint32_t t = 0; t < TILES; ++t) {
        TBufPool<TPosition::VECCALC> pool;
        TQue<TPosition::VECIN, 1> in;
        TQue<TPosition::VECOUT, 1> out;
        TBuf<TPosition::VECCALC> ones;
        pipe.InitBufPool(pool, 4 * TILE * sizeof(float));
        pool.InitBuffer(in, 1, TILE * sizeof(float));
        pool.InitBuffer(out, 1, TILE * sizeof(float));
        pool.InitBuffer(ones, TILE * sizeof(float));
        auto a = in.AllocTensor<float>();
        DataCopy(a, ends.from[t * TILE], TILE);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto one = ones.Get<float>();
        Duplicate(one, 1.0f, TILE);
        auto b = out.AllocTensor<float>();
        Add(b, a, one, TILE);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(ends.to[t * TILE], b, TILE);
        out.FreeTensor(b);
        pipe.Reset();
    }
}

// A pool that puts the buffers of a queue at its two ends, as no TBufPool would.
class Ended {
  public:
    __aicore__ inline Ended() { Init(); }
    template <class Queue> __aicore__ inline bool InitBuffer(Queue& que, uint8_t num, uint32_t len) {
        auto handle = GetBufHandle(GetCurBufSize());
        que.InitStartBufHandle(handle, num, len);
        for (uint8_t i = 0; i < num; ++i) {
            const uint32_t address = i % 2 ? end -= len : GetCurAddr();
            que.InitBufHandle(this, i, handle, address, len);
            if (i % 2 == 0) SetCurAddr(address + len);
        }
        SetCurBufSize(GetCurBufSize() + num);
        return true;
    }
    template <TPosition pos> __aicore__ inline bool InitBuffer(TBuf<pos>& buf, uint32_t len) {
        auto handle = GetBufHandle(GetCurBufSize());
        buf.InitStartBufHandle(handle, 1, len);
        buf.InitBufHandle(this, 0, handle, GetCurAddr(), len);
        SetCurAddr(GetCurAddr() + len);
        SetCurBufSize(GetCurBufSize() + 1);
        return true;
    }
    uint32_t end = 6 * TILE * sizeof(float);
    EXTERN_IMPL_BUFPOOL(Ended, TPosition::VECCALC, 8) // eight handles
};

extern "C" __global__ __aicore__ void own_pool(GM_ADDR x, GM_ADDR z, GM_ADDR places) {
    TPipe pipe;
    Ends ends(x, z);
    GlobalTensor<int32_t> told;
    told.SetGlobalBuffer((__gm__ int32_t*)places, 8);
    Ended pool;
    pipe.InitBufPool(pool, 6 * TILE * sizeof(float));
    for (uint32_t round = 0; round < 2; ++round) {
        TQue<TPosition::VECIN, 2> in;
        TQue<TPosition::VECOUT, 0> out;
        TBuf<TPosition::VECCALC> ones;
        pool.end = 6 * TILE * sizeof(float);
        pool.InitBuffer(in, 2, TILE * sizeof(float));
        pool.InitBuffer(out, 2, TILE * sizeof(float));
        pool.InitBuffer(ones, TILE * sizeof(float));
        auto one = ones.Get<float>();
        told.SetValue(round * 4, pool.GetCurBufSize());
        told.SetValue(round * 4 + 1, pool.GetCurAddr());
        told.SetValue(round * 4 + 2, (int32_t)one.GetPhyAddr());
        Duplicate(one, 1.0f, TILE);
        for (uint32_t t = round * TILES / 2; t < (round + 1) * TILES / 2; ++t) {
            auto a = in.AllocTensor<float>();
            DataCopy(a, ends.from[t * TILE], TILE);
            in.EnQue(a);
            a = in.DeQue<float>();
            LocalTensor<float> b;
            out.AllocTensor(b);
            Add(b, a, one, TILE);
            out.EnQue(b);
            in.FreeTensor(a);
            out.DeQue(b);
            DataCopy(ends.to[t * TILE], b, TILE);
            if (t % 2) told.SetValue(round * 4 + 3, (int32_t)a.GetPhyAddr());
            out.FreeTensor(b);
        }
        in.FreeAllEvent();
        pool.Reset();
    }
}

extern "C" __global__ __aicore__ void pool_mistake(int32_t which) {
    TPipe pipe;
    Ended pool;
    pipe.InitBufPool(pool, 6 * TILE * sizeof(float));
    TQue<TPosition::VECIN, 1> in;
    TBuf<TPosition::VECCALC> buf;
    auto handle = pool.GetBufHandle(0);
    if (which == 0) buf.InitBufHandle(&pool, 0, handle, 6 * TILE * sizeof(float) - 32, 64); // outside
    if (which == 1) pool.GetBufHandle(8);
    if (which == 2) in.InitBufHandle(&pool, 1, handle, 0, 64);                            // second first
    if (which == 3) {
        in.InitBufHandle(&pool, 0, handle, 0, 64);
        pool.InitBuffer(buf, 64);
        in.InitBufHandle(&pool, 1, handle, 64, 64); // another between
    }
}

// The vector pipe stands at a wait while the scalar unit goes on to FreeTensor: what waits there was issued before, and is no mistake.
extern "C" __global__ __aicore__ void freed_before_it_runs(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    Ends ends(x, z);
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    auto tile = out.AllocTensor<float>();
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    Duplicate(tile, 5.0f, TILE);
    out.EnQue(tile);
    tile = out.DeQue<float>();
    DataCopy(ends.to, tile, TILE);
    out.FreeTensor(tile);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
}

// Ids: the lowest free one; Fetch does not take it; a queue's ids come from the same eight.
extern "C" __global__ __aicore__ void event_ids(GM_ADDR z) {
    TPipe pipe;
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t*)z, 8);
    to.SetValue(0, pipe.FetchEventID(HardEvent::MTE2_V));
    to.SetValue(1, pipe.FetchEventID<HardEvent::MTE2_V>());
    to.SetValue(2, pipe.AllocEventID<HardEvent::MTE2_V>());
    to.SetValue(3, GetTPipePtr()->AllocEventID<HardEvent::MTE2_V>());
    pipe.ReleaseEventID<HardEvent::MTE2_V>(0);
    to.SetValue(4, pipe.FetchEventID(HardEvent::MTE2_V));
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 1, 32);
    in.EnQue(in.AllocTensor<half>());
    to.SetValue(5, pipe.FetchEventID(HardEvent::MTE2_V)); // 0 is the queue's now, 1 ours
    in.FreeTensor(in.DeQue<half>());
    to.SetValue(6, pipe.FetchEventID(HardEvent::MTE2_V));
}

extern "C" __global__ __aicore__ void mistake(GM_ADDR x, GM_ADDR z, int32_t which) {
    TPipe pipe;
    Ends ends(x, z);
    TQue<TPosition::VECIN, 1> in, other;
    TBuf<> buf;
    pipe.InitBuffer(in, 2, 512);
    if (which == 0) {
        in.AllocTensor<float>();
        in.AllocTensor<float>();
        in.AllocTensor<float>(); // no free buffer
    } else if (which == 1) {
        in.EnQue(in.AllocTensor<float>());
        in.EnQue(in.AllocTensor<float>()); // over the depth
    } else if (which == 2) {
        in.DeQue<float>(); // empty
    } else if (which == 3) {
        other.AllocTensor<float>(); // not initialised
    } else if (which == 4) {
        auto t = in.AllocTensor<float>();
        in.FreeTensor(t);
        in.FreeTensor(t); // twice
    } else if (which == 5) {
        pipe.InitBuffer(other, 1, 512);
        other.FreeTensor(in.AllocTensor<float>()); // another queue's
    } else if (which == 6) {
        auto t = in.AllocTensor<float>();
        in.FreeTensor(t);
        Adds(t, t, 1.0f, 64); // used after
    } else if (which == 7) {
        TPipe second; // two of them
    } else if (which == 8) {
        for (int i = 0; i < 9; ++i) pipe.AllocEventID<HardEvent::V_S>(); // the ninth id
    } else if (which == 9) {
        SetFlag<HardEvent::MTE2_V>(8); // no such id
    } else if (which == 10) {
        buf.Get<float>(); // not initialised
    } else if (which == 11) {
        pipe.InitBuffer(buf, 512);
        buf.GetWithOffset<float>(8, 16); // misaligned
    } else if (which == 12) {
        pipe.Destroy();
        GetTPipePtr(); // no pipe
    } else if (which == 13) {
        auto t = in.AllocTensor<float>();
        DataCopy(t, ends.from[TILE * TILES - 8], 16); // past the declared length
    }
}
