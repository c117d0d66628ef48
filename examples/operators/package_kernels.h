// SPDX-License-Identifier: Apache-2.0
// The kernels of a package, for host code that launches them itself with the calls of acl: op_kernel/<chip>/<name>.o beside its library.
#pragma once
#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "acl/acl.h"
#include "platform/platform_info.h"

class PackageKernels {
  public:
    explicit PackageKernels(const char* name) : name_(name) {}

    // nullptr when there is no such kernel; aclGetRecentErrMsg says why. A kernel with tiling keys is found as name_key.
    aclrtFuncHandle Find(const std::string& kernel) {
        if (binary_ == nullptr && aclrtBinaryLoadFromFile(Path().c_str(), nullptr, &binary_) != ACL_SUCCESS) return nullptr;
        aclrtFuncHandle& found = functions_[kernel];
        if (found == nullptr) aclrtBinaryGetFunction(binary_, kernel.c_str(), &found);
        return found;
    }

  private:
    std::string Path() const {
        static const char inside = 0; // the library that this is compiled into
        Dl_info here = {};
        dladdr(&inside, &here);
        const std::string library = here.dli_fname;
        fe::PlatFormInfos infos;
        fe::OptionalInfos optional;
        std::string chip;
        fe::PlatformInfoManager::Instance().GetPlatformInfoWithOutSocVersion(infos, optional);
        infos.GetPlatformRes("version", "Short_SoC_version", chip);
        std::transform(chip.begin(), chip.end(), chip.begin(), [](unsigned char letter) { return std::tolower(letter); });
        return library.substr(0, library.rfind('/') + 1) + "op_kernel/" + chip + "/" + name_ + ".o";
    }

    std::string name_;
    aclrtBinHandle binary_ = nullptr;
    std::map<std::string, aclrtFuncHandle> functions_;
};
