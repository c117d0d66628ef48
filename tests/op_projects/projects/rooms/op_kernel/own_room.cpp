// SPDX-License-Identifier: Apache-2.0
// 2 * x goes to the workspace and comes back.
#include "tile_by_tile.h"

extern "C" __global__ __aicore__ void own_room(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    if (workspace == nullptr) {
        return;
    }
    AscendC::SetSysWorkspace(workspace);
    GM_ADDR userWS = AscendC::GetUserWorkspace(workspace);
    if (userWS == nullptr) {
        return;
    }
    GET_TILING_DATA(data, tiling);
    AscendC::TPipe pipe;
    TileByTile<DTYPE_X> op(&pipe, data.total, data.tile);
    op.Process(x, nullptr, userWS, 2.0f);
    AscendC::PipeBarrier<PIPE_ALL>();
    op.Process(userWS, x, y, 1.0f);
}
