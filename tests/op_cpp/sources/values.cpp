// SPDX-License-Identifier: Apache-2.0
// Every method of the value classes.
#include "checks.h"
#include "exe_graph/runtime/tensor.h"
#include "register/op_def_registry.h"

using namespace gert;

static std::string text(const Shape& shape) {
    std::string made = std::to_string(shape.GetDimNum()) + ":";
    for (size_t i = 0; i < shape.GetDimNum(); ++i) made += " " + std::to_string(shape[i]);
    return made;
}

TEST(shape) {
    Shape shape{2, 3, 4};
    EQUAL(shape.GetDimNum(), 3u);
    EQUAL(shape.GetShapeSize(), 24);
    EQUAL(shape.GetDim(2), 4);
    EQUAL(shape.GetDim(3), 0);          // what is stored behind the rank
    EQUAL(shape.GetDim(25), INT64_MIN); // beyond what is stored
    shape[1] = 7;
    EQUAL(static_cast<const Shape&>(shape)[1], 7);
    EQUAL(text(shape.AppendDim(5).AppendDim(6)), "5: 2 7 4 5 6");
    Shape copy(shape), other;
    CHECK(copy == shape && other != shape);
    other = shape;
    CHECK(other == shape);
    other.SetDim(0, 9);
    CHECK(other != shape);
    CHECK(!shape.IsScalar() && Shape().IsScalar());
    shape.SetScalar();
    CHECK(shape.IsScalar());
    EQUAL(shape.GetShapeSize(), 1);
    EQUAL(Shape({int64_t{1} << 32, int64_t{1} << 32}).GetShapeSize(), INT64_MIN);
    size_t most = Shape::kMaxDimNum;
    EQUAL(most, 25u);
    int64_t invalid = Shape::kInvalidDimValue;
    EQUAL(invalid, INT64_MIN);
}
TEST(shape_oddities) {
    Shape shape;
    shape.SetDim(3, 8); // raises the rank to the index, not to the one behind
    EQUAL(shape.GetDimNum(), 3u);
    EQUAL(shape.GetDim(3), 8);
    shape.SetDim(25, 1);
    EQUAL(shape.GetDimNum(), 3u);
    shape.SetDimNum(24);
    shape.AppendDim(1).AppendDim(2);
    EQUAL(shape.GetDimNum(), 25u); // the 26th is ignored
    Shape many{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26};
    EQUAL(many.GetDimNum(), 0u);
    shape.SetDimNum(30); // unchecked; nothing beyond 25 is read
    EQUAL(shape.GetShapeSize(), 0);
}
TEST(storage_shape) {
    StorageShape shape({3, 4}, {1, 1, 16, 16});
    EQUAL(text(shape.GetOriginShape()), "2: 3 4");
    EQUAL(text(shape.GetShape()), "2: 3 4");
    EQUAL(text(shape.GetStorageShape()), "4: 1 1 16 16");
    StorageShape other;
    CHECK(shape != other);
    other.MutableOriginShape() = Shape{3};
    other.MutableShape().AppendDim(4);
    other.MutableStorageShape() = shape.GetStorageShape();
    CHECK(shape == other);
}
TEST(expand_dims_type) {
    ExpandDimsType mask("0110"), other;
    EQUAL(mask.GetFullSize(), 4u);
    CHECK(!mask.IsExpandIndex(0) && mask.IsExpandIndex(1) && mask.IsExpandIndex(2) && !mask.IsExpandIndex(3));
    Shape out, shape{2, 2};
    EQUAL(mask.Expand(shape, out), 0u);
    EQUAL(text(out), "4: 2 1 1 2");
    EQUAL(mask.Expand(shape), 0u);
    EQUAL(text(shape), "4: 2 1 1 2");
    Shape two{2, 2};
    CHECK(ExpandDimsType("1000").Expand(two, out) != 0);
    EQUAL(other.Expand(two, out), 0u);
    CHECK(out == two);
    EQUAL(mask.ToInt(), (int64_t{4} << 56) | 6);
    CHECK(ExpandDimsType(mask.ToInt()) == mask);
    CHECK(!(other == mask));
    other.SetExpandIndex(1);
    CHECK(other.IsExpandIndex(1));
    EQUAL(ExpandDimsType(nullptr).GetFullSize(), 0u);
}
TEST(storage_format) {
    StorageFormat format(ge::FORMAT_NCHW, ge::FORMAT_FRACTAL_NZ, ExpandDimsType("10")), other;
    EQUAL(format.GetOriginFormat(), ge::FORMAT_NCHW);
    EQUAL(format.GetStorageFormat(), ge::FORMAT_FRACTAL_NZ);
    EQUAL(format.GetExpandDimsType().GetFullSize(), 2u);
    other.SetOriginFormat(ge::FORMAT_NCHW);
    other.SetStorageFormat(ge::FORMAT_FRACTAL_NZ);
    CHECK(format != other);
    other.SetExpandDimsType(ExpandDimsType("00"));
    other.MutableExpandDimsType().SetExpandIndex(0);
    CHECK(format == other);
}

static int freed = 0, shared = 0;
static ge::graphStatus manager(TensorAddress, TensorOperateType operation, void** out) {
    static int behind;
    if (operation == kGetTensorAddress) *out = &behind;
    if (operation == kFreeTensor) ++freed;
    if (operation == kPlusShareCount) ++shared;
    return ge::GRAPH_SUCCESS;
}

TEST(tensor_data) {
    int handle = 0;
    {
        TensorData data(&handle, manager, 64, kOnDeviceHbm);
        CHECK(data.GetAddr() != &handle && data.GetAddr() != nullptr); // what the manager says
        EQUAL(data.GetSize(), 64u);
        EQUAL(data.GetPlacement(), kOnDeviceHbm);
        data.SetSize(32);
        data.SetPlacement(kOnHost);
        TensorData other;
        CHECK(!other.IsSharedWith(data));
        EQUAL(other.ShareFrom(data), 0u);
        CHECK(other.IsSharedWith(data));
        EQUAL(other.GetSize(), 32u);
        EQUAL(other.GetPlacement(), kOnHost);
        EQUAL(shared, 1);
        TensorData moved(std::move(other));
        CHECK(moved.IsSharedWith(data) && !other.IsSharedWith(data));
        other = std::move(moved);
        CHECK(other.IsSharedWith(data));
        EQUAL(other.Free(), 0u);
        EQUAL(freed, 1);
        EQUAL(other.SetAddr(&handle, nullptr), 0u);
        EQUAL(other.GetAddr(), static_cast<void*>(&handle)); // no manager: the address itself
        EQUAL(data.SetAddr(&handle, manager), 0u);           // frees what was there
        EQUAL(freed, 2);
        TensorAddrManager given = nullptr;
        EQUAL(data.Release(given), static_cast<void*>(&handle));
        CHECK(given == manager && data.GetAddr() == nullptr);
    }
    EQUAL(freed, 2); // released: nobody frees it
    { TensorData last(&handle, manager); }
    EQUAL(freed, 3);
    CHECK(TensorPlacementUtils::IsOnDevice(kOnDeviceHbm) && TensorPlacementUtils::IsOnDevice(kOnDeviceP2p));
    CHECK(TensorPlacementUtils::IsOnHost(kOnHost) && TensorPlacementUtils::IsOnHost(kFollowing) &&
          !TensorPlacementUtils::IsOnHost(kOnDeviceHbm));
    CHECK(TensorPlacementUtils::IsOnHostNotFollowing(kOnHost) && !TensorPlacementUtils::IsOnHostNotFollowing(kFollowing));
    CHECK(TensorPlacementUtils::IsOnHostFollowing(kFollowing) && TensorPlacementUtils::IsOnDeviceHbm(kOnDeviceHbm));
    CHECK(TensorPlacementUtils::IsOnDeviceP2p(kOnDeviceP2p));
    EQUAL(static_cast<int>(kTensorPlacementEnd), 4);
}
TEST(tensor) {
    int32_t values[6] = {0, 1, 2, 3, 4, 5};
    const StorageShape shape({6}, {2, 3});
    Tensor tensor(shape, StorageFormat(ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ, ExpandDimsType("01")), kOnHost, ge::DT_INT32, values);
    const Tensor& seen = tensor;
    EQUAL(tensor.GetShapeSize(), 6);
    EQUAL(seen.GetData<int32_t>()[5], 5);
    tensor.GetData<int32_t>()[5] = 50;
    EQUAL(values[5], 50);
    EQUAL(seen.GetAddr(), static_cast<const void*>(values));
    CHECK(tensor.GetAddr() == values);
    tensor.SetSize(24);
    EQUAL(tensor.GetSize(), 24u);
    EQUAL(tensor.GetDataType(), ge::DT_INT32);
    tensor.SetDataType(ge::DT_UINT32);
    EQUAL(tensor.GetDataType(), ge::DT_UINT32);
    EQUAL(text(tensor.GetStorageShape()), "2: 2 3");
    EQUAL(text(tensor.GetOriginShape()), "1: 6");
    CHECK(seen.GetShape() == shape);
    tensor.MutableStorageShape() = Shape{6};
    tensor.MutableOriginShape() = Shape{3, 2};
    EQUAL(text(tensor.GetShape().GetStorageShape()) + text(seen.GetShape().GetOriginShape()), "1: 62: 3 2");
    EQUAL(tensor.GetStorageFormat(), ge::FORMAT_FRACTAL_NZ);
    EQUAL(tensor.GetOriginFormat(), ge::FORMAT_ND);
    EQUAL(tensor.GetExpandDimsType().GetFullSize(), 2u);
    tensor.SetStorageFormat(ge::FORMAT_NCHW);
    tensor.SetOriginFormat(ge::FORMAT_NHWC);
    tensor.SetExpandDimsType(ExpandDimsType("1"));
    CHECK(seen.GetFormat() == StorageFormat(ge::FORMAT_NHWC, ge::FORMAT_NCHW, ExpandDimsType("1")));
    tensor.MutableFormat().SetStorageFormat(ge::FORMAT_ND);
    EQUAL(seen.GetStorageFormat(), ge::FORMAT_ND);
    EQUAL(tensor.GetPlacement(), kOnHost);
    tensor.SetPlacement(kOnDeviceHbm);
    EQUAL(seen.GetTensorData().GetPlacement(), kOnDeviceHbm);
    tensor.MutableTensorData().SetPlacement(kOnHost);
    EQUAL(tensor.GetPlacement(), kOnHost);
    EQUAL(tensor.GetVersion(), kTensorV1);
    tensor.SetData(TensorData(&values[1], nullptr, 4, kOnHost));
    EQUAL(seen.GetData<int32_t>()[0], 1);
    Tensor bare(shape, StorageFormat(), ge::DT_FLOAT);
    CHECK(bare.GetAddr() == nullptr);
}
TEST(tensor_following) {
    size_t total = 0;
    auto block = Tensor::CreateFollowing(4, ge::DT_INT64, total);
    Tensor* tensor = reinterpret_cast<Tensor*>(block.get());
    EQUAL(total, sizeof(Tensor) + 32);
    EQUAL(tensor->GetSize(), 32u);
    EQUAL(tensor->GetPlacement(), kFollowing);
    EQUAL(tensor->GetAddr(), static_cast<void*>(block.get() + sizeof(Tensor)));
    tensor->~Tensor();
    auto bytes = Tensor::CreateFollowing(ge::DT_UINT8, size_t{10}, total);
    EQUAL(total, sizeof(Tensor) + 10);
    EQUAL(reinterpret_cast<Tensor*>(bytes.get())->GetDataType(), ge::DT_UINT8);
    CHECK(Tensor::CreateFollowing(-1, ge::DT_INT64, total) == nullptr);
}
TEST(tensor_v2) {
    TensorV2 view(StorageShape({2}, {2}), StorageFormat(), kOnDeviceHbm, ge::DT_FLOAT, nullptr, nullptr, Stride{4}, 3);
    EQUAL(view.GetVersion(), kTensorV2);
    EQUAL(text(view.GetStride()), "1: 4");
    view.MutableStride() = Stride{8};
    EQUAL(view.GetStride()[0], 8);
    EQUAL(view.GetOffset(), 3);
    view.SetOffset(5);
    EQUAL(view.GetOffset(), 5);
}
TEST(continuous_vector) {
    size_t total = 0;
    auto block = ContinuousVector::Create<int32_t>(4, total);
    EQUAL(total, sizeof(ContinuousVector) + 16);
    ContinuousVector* vector = reinterpret_cast<ContinuousVector*>(block.get());
    EQUAL(vector->GetCapacity(), 4u);
    EQUAL(vector->GetSize(), 0u);
    EQUAL(vector->SetSize(4), 0u);
    EQUAL(vector->SetSize(5), ge::GRAPH_PARAM_OUT_OF_RANGE);
    EQUAL(vector->GetSize(), 4u);
    static_cast<int32_t*>(vector->MutableData())[3] = 9;
    EQUAL(static_cast<const int32_t*>(vector->GetData())[3], 9);
    auto* typed = reinterpret_cast<TypedContinuousVector<int32_t>*>(block.get());
    EQUAL(typed->GetSize(), 4u);
    EQUAL(typed->GetCapacity(), 4u);
    typed->MutableData()[0] = 3;
    EQUAL(typed->GetData()[0] + typed->GetData()[3], 12);
    EQUAL(typed->SetSize(1), 0u);
    vector->Init(2);
    EQUAL(vector->GetCapacity() + vector->GetSize(), 2u);
    CHECK(ContinuousVector::Create<int64_t>(SIZE_MAX) == nullptr);
}
TEST(range) {
    Shape low{1}, high{9};
    Range<Shape> range(&low, &high), both(&low), none;
    EQUAL(range.GetMin()->GetDim(0), 1);
    EQUAL(static_cast<const Range<Shape>&>(range).GetMax()->GetDim(0), 9);
    CHECK(both.GetMin() == both.GetMax() && none.GetMin() == nullptr);
    none.SetMin(&low);
    none.SetMax(&high);
    CHECK(none == range && !(both == range));
}
TEST(tiling_data) {
    auto block = TilingData::CreateCap(16);
    TilingData* data = reinterpret_cast<TilingData*>(block.get());
    EQUAL(data->GetCapacity(), 16u);
    EQUAL(data->Append(uint32_t{7}), 0u);
    const uint16_t pair[] = {1, 2};
    EQUAL(data->Append(pair, 2), 0u);
    EQUAL(data->GetDataSize(), 8u);
    EQUAL(data->Append(uint64_t{1}), 0u);
    EQUAL(data->Append(uint8_t{1}), ge::GRAPH_FAILED);
    EQUAL(data->GetDataSize(), 16u);
    EQUAL(static_cast<uint16_t*>(data->GetData())[3], 2);
    const uint64_t one = 1;
    volatile size_t many = SIZE_MAX; // or the compiler would warn
    EQUAL(data->Append(&one, many), ge::GRAPH_MUL_OVERFLOW);
    EQUAL(data->Append(reinterpret_cast<const uint8_t*>(&one), many), ge::GRAPH_ADD_OVERFLOW);
    data->SetDataSize(4);
    CHECK(data->Expand(12) == static_cast<uint8_t*>(data->GetData()) + 4);
    CHECK(data->Expand(1) == nullptr);
    data->SetDataSize(0);
    *data << int32_t{-1} << int32_t{5};
    EQUAL(static_cast<const int32_t*>(static_cast<const TilingData*>(data)->GetData())[1], 5);
    uint8_t memory[4];
    TilingData own;
    own.Init(4, memory);
    own << uint64_t{1}; // does not fit: left out
    EQUAL(own.GetDataSize(), 0u);
}
TEST(descriptors) {
    CompileTimeTensorDesc desc;
    EQUAL(desc.GetDataType(), ge::DT_UNDEFINED);
    CHECK(desc.IsExist());
    desc.SetDataType(ge::DT_BF16);
    desc.SetOriginFormat(ge::FORMAT_NCHW);
    desc.SetStorageFormat(ge::FORMAT_NC1HWC0);
    desc.SetExpandDimsType(ExpandDimsType("1"));
    desc.SetExist(false);
    EQUAL(desc.GetDataType(), ge::DT_BF16);
    EQUAL(desc.GetOriginFormat(), ge::FORMAT_NCHW);
    EQUAL(desc.GetStorageFormat(), ge::FORMAT_NC1HWC0);
    EQUAL(desc.GetExpandDimsType().GetFullSize(), 1u);
    CHECK(desc.GetFormat() == StorageFormat(ge::FORMAT_NCHW, ge::FORMAT_NC1HWC0, ExpandDimsType("1")) && !desc.IsExist());
    AnchorInstanceInfo info(3, 2);
    EQUAL(info.GetInstanceStart() * 10 + info.GetInstanceNum(), 32u);
    info.SetInstanceStart(1);
    info.SetInstantiationNum(4);
    EQUAL(info.GetInstanceStart() * 10 + info.GetInstanceNum(), 14u);
}

static int deleted = 0;
struct Counted {
    ~Counted() { ++deleted; }
    char large[16];
};
static void count_delete(void* data) {
    ++deleted;
    delete static_cast<int*>(data);
}

TEST(chain) {
    {
        Chain chain;
        chain.SetValue(uint32_t{7});
        EQUAL(chain.GetValue<uint32_t>(), 7u);
        *chain.GetPointer<uint32_t>() = 8;
        EQUAL(*static_cast<const Chain&>(chain).GetPointer<uint32_t>(), 8u);
        Counted* made = new Counted;
        chain.SetWithDefaultDeleter(made);
        CHECK(chain.HasDeleter() && chain.GetPointer<Counted>() == made);
        chain.Set(new int(3), count_delete); // the first one goes, by its own deleter
        EQUAL(deleted, 1);
        Chain moved(std::move(chain));
        CHECK(!chain.HasDeleter() && moved.HasDeleter());
        Chain::Deleter deleter = nullptr;
        int* released = static_cast<int*>(moved.Release(deleter));
        CHECK(deleter == count_delete && *released == 3);
        delete released;
        chain.SetWithDefaultDeleter(new Counted);
    }
    EQUAL(deleted, 2);
}
TEST(dim3) {
    Dim3 dim(2, 3), one(5);
    EQUAL(dim.x * 100 + dim.y * 10 + dim.z, 231u);
    EQUAL(one.x * 100 + one.y * 10 + one.z, 511u);
}
TEST(ascend_string) {
    ge::AscendString empty, text("operator"), part("operator", 3), copy(text), moved(std::move(copy));
    EQUAL(std::string(empty.GetString()), "");
    EQUAL(std::string(part.GetString()), "ope");
    EQUAL(text.GetLength(), 8u);
    EQUAL(text.Find("rat"), 3u);
    EQUAL(text.Find("xyz"), static_cast<size_t>(-1));
    CHECK(moved == text && moved == "operator" && text != part && text != "ope" && copy == "");
    CHECK(part < text && text > part && part <= text && text >= part);
    EQUAL(text.Hash(), moved.Hash());
    EQUAL(std::hash<ge::AscendString>()(text), text.Hash());
    CHECK(text.Hash() != part.Hash());
    copy = part;
    CHECK(copy == part);
}
