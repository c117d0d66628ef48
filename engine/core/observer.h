// SPDX-License-Identifier: Apache-2.0
// Whoever looks at a launch while it runs: the timing model, the rules of a fused kernel, an adversarial schedule, a list of what was
// touched. A launch has a list of them; the cores of one that has none issue through another function and pay nothing.
//
// All cores of a launch call the same observer, from several threads; what it keeps for a core it finds by core.unit.
#pragma once
#include <cstdint>

namespace aclimb {

struct Core;
struct Head;
struct Launch;
struct Wait;
class Ranges;

class Observer {
  public:
    enum class Then : uint8_t {
        go_on,
        leave_out, // the instruction does not run
        taken      // the observer has run it, or keeps it for later
    };

    virtual ~Observer() = default;
    virtual bool wants_scalar() const { return false; } // plain loads, stores and work too: an observed image runs, where there is one
    virtual bool leaves_out() const { return false; }   // some instructions or blocks: what runs is not what the kernel does
    virtual void launched(Launch&) {}                   // it is prepared, no core has started
    virtual Then issued(Core&, Head&) { return Then::go_on; }   // before the record runs or waits in the queue of its pipe
    virtual bool wants_executed() const { return false; }       // executing() and executed() are called at all
    virtual void executing(Core&, const Head&) {}               // its pipe has come to it; again, if it then has to wait
    virtual void executed(Core&, const Head&, const Ranges&) {} // it has run, and these bytes it touched
    virtual void left(Core&) {}                                 // this core has ended, without a fault
    virtual void waited(Core&, const Wait&) {}                  // the scalar unit goes on; another core has come
    virtual bool ended(Launch&) { return true; }                // the last core has; false: the launch has to run again
};

} // namespace aclimb
