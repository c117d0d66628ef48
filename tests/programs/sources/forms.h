#pragma once
// Shared by forms.asc and elsewhere.asc: the same instance in both, and a function that launches.
template <typename T> __global__ __aicore__ void in_header(GM_ADDR x) { reinterpret_cast<__gm__ T*>(x)[21] += 1; }
void launch_elsewhere(uint8_t* x, void* stream);
