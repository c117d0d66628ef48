# SPDX-License-Identifier: Apache-2.0
"""acl.media: image and video hardware (DVPP). Not modelled; every call says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.media",
    """
dvpp_create_channel_desc      => desc                acldvppCreateChannelDesc
dvpp_destroy_channel_desc     ->                     acldvppDestroyChannelDesc
dvpp_create_channel           ->                     acldvppCreateChannel
dvpp_destroy_channel          ->                     acldvppDestroyChannel
dvpp_malloc                   -> ptr                 acldvppMalloc
dvpp_free                     ->                     acldvppFree
dvpp_create_pic_desc          => desc                acldvppCreatePicDesc
dvpp_destroy_pic_desc         ->                     acldvppDestroyPicDesc
dvpp_jpeg_decode_async        ->                     acldvppJpegDecodeAsync
dvpp_vpc_resize_async         ->                     acldvppVpcResizeAsync
vdec_create_channel           ->                     aclvdecCreateChannel
venc_create_channel           ->                     aclvencCreateChannel
""",
    "image and video hardware (DVPP) is out of scope: aclimb runs kernels",
)
__getattr__ = _assemble.missing(globals(), "acl.media")
