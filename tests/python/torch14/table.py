# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that compare.py runs: how an operator is called, with what inputs, of which types. A row is one line:

    ROW("name", function, inputs, types, backward)

inputs: makers, each a function of the type that gives a CPU tensor. types: letters, f float, d double, h half, l long (h is compared with the CPU's
float, as PyTorch 1.4 has few operators of half there). backward: also the gradients of all inputs that are floating-point numbers."""
import torch
import torch.nn.functional as F

ROWS = []


def ROW(name, function, inputs, types="fd", backward=True):
    ROWS.append((name, function, inputs, types, backward))


# --- inputs -----------------------------------------------------------------------------------------------------------

def normal(*shape):
    """Of whole numbers, small ones."""
    return lambda kind: torch.randn(*shape).mul(4).to(kind) if kind == torch.long else torch.randn(*shape, dtype=torch.double).to(kind)


def positive(*shape):
    return lambda kind: torch.rand(*shape).mul(9).add(1).to(kind) if kind == torch.long else torch.rand(*shape, dtype=torch.double).add(0.1).to(kind)


def inside(*shape):
    """Between -0.9 and 0.9."""
    return lambda kind: torch.rand(*shape, dtype=torch.double).mul(1.8).sub(0.9).to(kind)


def apart(*shape):
    """No two alike, so that what is largest is the same everywhere."""
    def make(kind):
        count = 1
        for length in shape:
            count *= length
        return torch.randperm(count).to(torch.double).sub(count // 2).div(1 if kind == torch.long else 16).reshape(shape).to(kind)
    return make


def index(most, *shape):
    return lambda kind: torch.randint(0, most, shape)


def boolean(*shape):
    return lambda kind: torch.rand(*shape) > 0.5


def definite(size):
    def make(kind):
        values = torch.randn(size, size, dtype=torch.double)
        return (values @ values.t() + size * torch.eye(size, dtype=torch.double)).to(kind)
    return make


A, B, C = normal(33, 65), normal(33, 65), normal(65)
P, Q, S = positive(33, 65), positive(33, 65), apart(33, 65)
IMAGE = normal(2, 3, 12, 14)

# --- arithmetic -------------------------------------------------------------------------------------------------------

ROW("add", lambda a, b: a + b, [A, B], "fdhl")
ROW("add broadcast", lambda a, b: torch.add(a, b, alpha=3), [A, C], "fdhl")
ROW("sub", lambda a, b: a - b, [A, B], "fdhl")
ROW("mul", lambda a, b: a * b, [A, B], "fdhl")
ROW("div", lambda a, b: a / b, [A, P], "fdh")
ROW("div whole", lambda a, b: a // b, [A, P], "l", False)
ROW("remainder", lambda a: torch.remainder(a, 3), [A], "fdl")
ROW("fmod", lambda a: torch.fmod(a, 3), [A], "fdl")
ROW("neg", lambda a: -a, [A], "fdhl")
ROW("abs", torch.abs, [A], "fdhl")
ROW("sign", torch.sign, [A], "fdhl")
ROW("pow scalar", lambda a: a ** 3, [A], "fdl")
ROW("pow", torch.pow, [P, B], "fd")
ROW("clamp", lambda a: a.clamp(-1, 1), [A], "fdl")
ROW("lerp", lambda a, b: torch.lerp(a, b, 0.3), [A, B])
ROW("addcmul", lambda a, b, c: torch.addcmul(a, 0.5, b, c), [A, B, A])
ROW("addcdiv", lambda a, b, c: torch.addcdiv(a, 0.5, b, c), [A, B, P])
ROW("transposed", lambda a, b: a.t() * b.t() + 1, [A, B], "fdhl")
ROW("min of two", torch.min, [S, B], "fdl")
ROW("max of two", torch.max, [S, B], "fdl")

# --- functions --------------------------------------------------------------------------------------------------------

for each in ("exp", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "erf", "erfc", "sigmoid", "relu", "round", "floor", "ceil", "trunc", "frac"):
    ROW(each, getattr(torch, each), [A], "fdh" if each not in ("erfc", "tan", "sinh", "cosh", "atan", "expm1") else "fd")
for each in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "lgamma", "digamma"):
    ROW(each, getattr(torch, each), [P], "fdh" if each in ("log", "sqrt", "reciprocal") else "fd")
for each in ("asin", "acos", "erfinv"):
    ROW(each, getattr(torch, each), [inside(33, 65)], "fd")
ROW("atan2", torch.atan2, [A, B])
for each in ("leaky_relu", "elu", "selu", "softplus", "softsign", "hardtanh", "logsigmoid", "gelu", "softshrink", "hardshrink", "tanhshrink", "relu6"):
    ROW(each, getattr(F, each), [A])
ROW("celu", lambda a: F.celu(a, 0.7), [A])
ROW("prelu", F.prelu, [normal(4, 8, 9), normal(8)])
ROW("glu", F.glu, [normal(12, 32)])
ROW("threshold", lambda a: F.threshold(a, 0.1, 20), [A])

# --- comparisons and logic --------------------------------------------------------------------------------------------

for each in ("eq", "ne", "lt", "le", "gt", "ge"):
    ROW(each, getattr(torch, each), [S, S], "fdhl", False)
ROW("where", torch.where, [boolean(33, 65), A, B], "fdl")
ROW("logical", lambda a, b: (a & b) ^ ~(a | b), [boolean(99), boolean(99)], "l", False)
ROW("logical_not", torch.logical_not, [A], "fdl", False)
ROW("bits", lambda a, b: (a & b) + (a | b) + (a ^ b), [A, B], "l", False)
ROW("shifts", lambda a: (a << 3) + (a >> 1), [P], "l", False)
ROW("isnan", lambda a: torch.isnan(a / (a - a)), [A], "fd", False)
ROW("masked_fill", lambda a, m: a.masked_fill(m, 5), [A, boolean(33, 65)], "fdl")
ROW("masked_select", torch.masked_select, [A, boolean(33, 65)], "fdl")
ROW("nonzero", lambda a: torch.nonzero(a > 0), [A], "fdl", False)
ROW("all any", lambda a: torch.stack([(a > 0).all(), (a > 0).any()]), [A], "fl", False)
ROW("cast", lambda a: (a.int().float(), a.double().long(), a.half().float()), [A], "fdl", False)

# --- reductions -------------------------------------------------------------------------------------------------------

ROW("sum", torch.sum, [A], "fdhl")
ROW("sum rows", lambda a: a.sum(1), [A], "fdhl")
ROW("sum columns", lambda a: a.sum(0, keepdim=True), [A], "fdhl")
ROW("sum long", torch.sum, [normal(100003)], "fdl")
ROW("mean", lambda a: a.mean(1), [A], "fdh")
ROW("prod", lambda a: a.prod(1), [positive(9, 7)], "fdl")
ROW("var", lambda a: a.var(0), [A])
ROW("std", lambda a: a.std(), [A])
ROW("norm", lambda a: a.norm(2, 1), [A], "fdh")
ROW("norm 1", lambda a: a.norm(1), [A])
ROW("max", torch.max, [S], "fdl")
ROW("max rows", lambda a: a.max(1), [S], "fdl")
ROW("min columns", lambda a: a.min(0), [S], "fdl")
ROW("argmax", lambda a: a.argmax(1), [S], "fdl", False)
ROW("argmin", lambda a: a.argmin(), [S], "fdl", False)
ROW("logsumexp", lambda a: torch.logsumexp(a, 1), [A])
ROW("cumsum", lambda a: a.cumsum(1), [A], "fdl")
ROW("cumprod", lambda a: a.cumprod(0), [positive(9, 7)], "fdl")
ROW("sort", lambda a: a.sort(1), [S], "fdl")
ROW("sort long", lambda a: a.sort(), [apart(5000)], "fdl")
ROW("argsort", lambda a: a.argsort(0, descending=True), [S], "fdl", False)
ROW("topk", lambda a: a.topk(5, 1), [S], "fdl")
ROW("kthvalue", lambda a: a.kthvalue(7, 1), [S], "fdl")
ROW("median", lambda a: a.median(1), [S], "fdl")
ROW("median all", lambda a: a.median(), [S], "fdl", False)
ROW("mode", lambda a: a.mode(1)[0], [index(4, 9, 31)], "l", False)
ROW("unique", lambda a: torch.unique(a, return_counts=True), [index(9, 200)], "l", False)
ROW("bincount", lambda a: torch.bincount(a), [index(9, 200)], "l", False)
ROW("histc", lambda a: torch.histc(a, 10, -2, 2), [A], "fd", False)
ROW("dist", lambda a, b: torch.dist(a, b), [A, B])
ROW("cdist", lambda a, b: torch.cdist(a, b), [normal(9, 5), normal(7, 5)])

# --- places -----------------------------------------------------------------------------------------------------------

ROW("cat", lambda a, b: torch.cat([a, b], 1), [A, B], "fdhl")
ROW("stack", lambda a, b: torch.stack([a, b], 2), [A, B], "fdhl")
ROW("split", lambda a: a.split(20, 1)[1] * 2, [A], "fdl")
ROW("repeat", lambda a: a.repeat(2, 3), [A], "fdl")
ROW("flip", lambda a: a.flip(0, 1), [A], "fdl")
ROW("roll", lambda a: a.roll(5, 1), [A], "fdl")
ROW("tril triu", lambda a: a.tril(1) - a.triu(-1), [A], "fdl")
ROW("diag", lambda a: a.diag(2) + 1, [normal(9, 9)], "fdl")
ROW("eye", lambda a: torch.eye(9, device=a.device, dtype=a.dtype) + a, [normal(9, 9)], "fdl")
ROW("arange", lambda a: torch.arange(0, 65, 2, device=a.device, dtype=a.dtype) * a[0, 0], [A], "fdl")
ROW("linspace", lambda a: torch.linspace(0, 1, 65, device=a.device, dtype=a.dtype) * a, [A])
ROW("gather", lambda a, i: a.gather(1, i), [A, index(65, 33, 20)], "fdhl")
ROW("scatter", lambda a, b: a.scatter(1, torch.arange(20, device=a.device).repeat(33, 1), b), [A, normal(33, 20)], "fdl")
ROW("scatter_add", lambda a, i, b: a.scatter_add(1, i, b), [A, index(65, 33, 20), normal(33, 20)], "fdl")
ROW("index_select", lambda a, i: a.index_select(1, i), [A, index(65, 20)], "fdhl")
ROW("index_add", lambda a, i, b: a.index_add(1, i, b), [A, index(65, 20), normal(33, 20)], "fdl")
ROW("index_fill", lambda a, i: a.index_fill(1, i, 4), [A, index(65, 20)], "fdl")
ROW("index", lambda a, i: a[i], [A, index(33, 20)], "fdhl")
ROW("index two", lambda a, i, j: a[i, j], [A, index(33, 20), index(65, 20)], "fdl")
ROW("index mask", lambda a, m: a[m], [A, boolean(33)], "fdl")
ROW("index_put", lambda a, i, b: a.clone().index_put((i,), b, accumulate=True), [A, index(33, 20), normal(20, 65)], "fd")
ROW("take", torch.take, [A, index(33 * 65, 50)], "fdl")
ROW("embedding", lambda i, a: F.embedding(i, a), [index(33, 4, 5), A], "fdh")
ROW("embedding_bag", lambda i, a: F.embedding_bag(i, a, mode="sum"), [index(33, 4, 5), A], "fd")
ROW("one_hot", lambda i: F.one_hot(i, 9), [index(9, 20)], "l", False)
ROW("meshgrid", lambda a, b: torch.stack(torch.meshgrid(a, b)), [normal(5), normal(6)], "fdl")
ROW("unfold", lambda a: a.unfold(1, 4, 2) * 2, [A], "fdl")
ROW("pad", lambda a: F.pad(a, (1, 2, 3, 4), value=7), [IMAGE], "fdl")
ROW("pad reflect", lambda a: F.pad(a, (1, 2, 3, 4), mode="reflect"), [IMAGE])
ROW("pad replicate", lambda a: F.pad(a, (1, 2, 3, 4), mode="replicate"), [IMAGE])
ROW("permute", lambda a: a.permute(2, 0, 3, 1).contiguous() * 2, [IMAGE], "fdhl")
ROW("expand", lambda a: a.expand(7, 65) + 1, [C], "fdl")

# --- products and linear algebra --------------------------------------------------------------------------------------

ROW("mm", torch.mm, [A, normal(65, 17)], "fdh")
ROW("bmm", torch.bmm, [normal(4, 9, 7), normal(4, 7, 5)], "fdh")
ROW("matmul", torch.matmul, [normal(4, 9, 7), normal(7, 5)], "fdh")
ROW("mv", torch.mv, [A, C])
ROW("dot", torch.dot, [C, C])
ROW("ger", torch.ger, [C, normal(20)])
ROW("addmm", torch.addmm, [normal(33, 17), A, normal(65, 17)], "fdh")
ROW("baddbmm", torch.baddbmm, [normal(4, 9, 5), normal(4, 9, 7), normal(4, 7, 5)])
ROW("einsum", lambda a, b: torch.einsum("ij,kj->ik", a, b), [A, B])
ROW("linear", F.linear, [A, normal(17, 65), normal(17)], "fdh")
ROW("bilinear", F.bilinear, [normal(6, 4), normal(6, 5), normal(3, 4, 5), normal(3)])
ROW("tensordot", lambda a, b: torch.tensordot(a, b, dims=2), [A, B])
ROW("inverse", torch.inverse, [definite(6)])
ROW("det", torch.det, [definite(5)])
ROW("cholesky", torch.cholesky, [definite(6)])
ROW("solve", lambda b, a: torch.solve(b, a)[0], [normal(6, 2), definite(6)])
ROW("triangular_solve", lambda b, a: torch.triangular_solve(b, a)[0], [normal(6, 2), definite(6)])
ROW("symeig", lambda a: torch.symeig(a)[0], [definite(6)], "fd", False)
ROW("svd", lambda a: torch.svd(a)[1], [normal(6, 4)], "fd", False)
ROW("qr", lambda a: torch.qr(a)[1].abs(), [normal(6, 4)], "fd", False)
ROW("cross", torch.cross, [normal(9, 3), normal(9, 3)], "fdl")
ROW("trace", torch.trace, [normal(9, 9)], "fdl")
ROW("rfft", lambda a: torch.rfft(a, 1), [normal(5, 24)], "fd")
ROW("fft", lambda a: torch.fft(a, 2), [normal(8, 12, 2)], "fd")
ROW("irfft", lambda a: torch.irfft(a, 1, signal_sizes=(24,)), [normal(5, 13, 2)], "fd", False)

# --- layers -----------------------------------------------------------------------------------------------------------

ROW("softmax", lambda a: F.softmax(a, 1), [A], "fdh")
ROW("softmax columns", lambda a: F.softmax(a, 0), [A])
ROW("log_softmax", lambda a: F.log_softmax(a, 1), [A], "fdh")
ROW("softmin", lambda a: F.softmin(a, 1), [A])
ROW("cross_entropy", F.cross_entropy, [A, index(65, 33)])
ROW("nll_loss", F.nll_loss, [A, index(65, 33)])
ROW("mse_loss", F.mse_loss, [A, B])
ROW("l1_loss", F.l1_loss, [A, B])
ROW("smooth_l1_loss", F.smooth_l1_loss, [A, B])
ROW("kl_div", lambda a, b: F.kl_div(F.log_softmax(a, 1), F.softmax(b, 1), reduction="batchmean"), [A, B])
ROW("binary_cross_entropy", lambda a, b: F.binary_cross_entropy(torch.sigmoid(a), (b > 0).to(b.dtype)), [A, B])
ROW("bce_with_logits", lambda a, b: F.binary_cross_entropy_with_logits(a, (b > 0).to(b.dtype)), [A, B])
ROW("hinge_embedding_loss", lambda a, b: F.hinge_embedding_loss(a, b.sign().detach()), [A, B])
ROW("cosine_similarity", F.cosine_similarity, [A, B])
ROW("pairwise_distance", F.pairwise_distance, [A, B])
ROW("multi_margin_loss", F.multi_margin_loss, [A, index(65, 33)])
ROW("ctc_loss", lambda a: F.ctc_loss(F.log_softmax(a, 2), torch.arange(1, 9).reshape(2, 4), (12, 12), (4, 4)), [normal(12, 2, 10)])
ROW("batch_norm", lambda a, w, b: F.batch_norm(a, None, None, w, b, training=True), [IMAGE, normal(3), normal(3)])
ROW("batch_norm evaluated", lambda a, m, v: F.batch_norm(a, m.detach(), v.detach()), [IMAGE, normal(3), positive(3)])
ROW("layer_norm", lambda a, w, b: F.layer_norm(a, (65,), w, b), [A, C, C], "fdh")
ROW("instance_norm", F.instance_norm, [IMAGE])
ROW("group_norm", lambda a: F.group_norm(a, 2), [normal(2, 4, 5, 6)])
ROW("local_response_norm", lambda a: F.local_response_norm(a, 2), [IMAGE])
ROW("normalize", F.normalize, [A])
ROW("conv1d", F.conv1d, [normal(2, 3, 20), normal(4, 3, 5), normal(4)])
ROW("conv2d", lambda a, w, b: F.conv2d(a, w, b, padding=1), [IMAGE, normal(4, 3, 3, 3), normal(4)], "fdh")
ROW("conv2d stride", lambda a, w: F.conv2d(a, w, stride=2, dilation=2), [IMAGE, normal(4, 3, 3, 3)])
ROW("conv2d depthwise", lambda a, w: F.conv2d(a, w, groups=3), [IMAGE, normal(3, 1, 3, 3)])
ROW("conv3d", F.conv3d, [normal(1, 2, 6, 7, 8), normal(3, 2, 3, 3, 3)])
ROW("conv_transpose2d", lambda a, w: F.conv_transpose2d(a, w, stride=2), [IMAGE, normal(3, 4, 3, 3)])
ROW("max_pool1d", lambda a: F.max_pool1d(a, 3), [apart(2, 3, 20)])
ROW("max_pool2d", lambda a: F.max_pool2d(a, 2), [apart(2, 3, 12, 14)], "fd")
ROW("max_pool3d", lambda a: F.max_pool3d(a, 2), [apart(1, 2, 6, 8, 10)])
ROW("avg_pool2d", lambda a: F.avg_pool2d(a, 3, 2, 1), [IMAGE])
ROW("avg_pool3d", lambda a: F.avg_pool3d(a, 2), [normal(1, 2, 6, 8, 10)])
ROW("adaptive_avg_pool2d", lambda a: F.adaptive_avg_pool2d(a, (3, 5)), [IMAGE])
ROW("adaptive_max_pool2d", lambda a: F.adaptive_max_pool2d(a, (3, 5)), [apart(2, 3, 12, 14)])
ROW("lp_pool2d", lambda a: F.lp_pool2d(a, 2, 2), [positive(2, 3, 12, 14)])
ROW("interpolate nearest", lambda a: F.interpolate(a, scale_factor=2), [IMAGE])
ROW("interpolate bilinear", lambda a: F.interpolate(a, scale_factor=2, mode="bilinear", align_corners=False), [IMAGE])
ROW("interpolate bicubic", lambda a: F.interpolate(a, scale_factor=2, mode="bicubic", align_corners=True), [IMAGE])
ROW("grid_sample", lambda a, g: F.grid_sample(a, g.tanh(), align_corners=False), [IMAGE, normal(2, 5, 6, 2)])
ROW("affine_grid", lambda a: F.affine_grid(a, (2, 3, 5, 6), align_corners=False), [normal(2, 2, 3)])
ROW("pixel_shuffle", lambda a: F.pixel_shuffle(a, 2), [normal(2, 8, 4, 5)], "fdl")
ROW("fold", lambda a: F.fold(F.unfold(a, 3), (12, 14), 3), [IMAGE])

# --- more -------------------------------------------------------------------------------------------------------------

ROW("remainder tensor", torch.remainder, [A, P], "fdl", False)
ROW("fmod tensor", torch.fmod, [A, P], "fdl", False)
ROW("clamp_min", lambda a: a.clamp(min=0.5), [A])
ROW("polygamma", lambda a: torch.polygamma(1, a), [P], "fd", False)
ROW("mvlgamma", lambda a: torch.mvlgamma(a + 2, 2), [P])
ROW("std_mean", lambda a: torch.std_mean(a, 1), [A])
ROW("renorm", lambda a: a.renorm(2, 0, 3), [A])
ROW("norm inf", lambda a: a.norm(float("inf"), 1), [S], "fd", False)
ROW("sum booleans", lambda m: m.sum(0), [boolean(33, 65)], "l", False)
ROW("masked_scatter", lambda a, m, b: a.masked_scatter(m, b), [A, boolean(33, 65), B], "fdl")
ROW("index_copy", lambda a, b: a.index_copy(1, torch.arange(0, 40, 2, device=a.device), b), [A, normal(33, 20)], "fdl")
ROW("rot90", lambda a: a.rot90(1, (0, 1)) * 2, [A], "fdl")
ROW("chunk", lambda a: [each * 2 for each in a.chunk(4, 1)], [A], "fdl")
ROW("narrow", lambda a: a.narrow(1, 3, 20).squeeze(0) + 1, [A], "fdl")
ROW("tril_indices", lambda a: torch.tril_indices(7, 9, device=a.device), [A], "l", False)
ROW("combinations", lambda a: torch.combinations(a, 2), [normal(9)], "fdl")
ROW("cartesian_prod", lambda a, b: torch.cartesian_prod(a, b), [normal(5), normal(6)], "fdl")
ROW("addmv", torch.addmv, [normal(33), A, C])
ROW("addr", torch.addr, [normal(65, 20), C, normal(20)])
ROW("addbmm", torch.addbmm, [normal(9, 5), normal(4, 9, 7), normal(4, 7, 5)])
ROW("chain_matmul", lambda a, b, c: torch.chain_matmul(a, b, c), [normal(9, 7), normal(7, 5), normal(5, 8)])
ROW("matrix_power", lambda a: torch.matrix_power(a, 3), [normal(6, 6)])
ROW("cholesky_solve", lambda b, a: torch.cholesky_solve(b, torch.cholesky(a)), [normal(6, 2), definite(6)], "fd", False)
ROW("cholesky_inverse", lambda a: torch.cholesky_inverse(torch.cholesky(a)), [definite(6)], "fd", False)
ROW("pinverse", torch.pinverse, [normal(6, 4)], "fd", False)
ROW("lu", lambda a: a.lu()[0], [definite(6)], "fd", False)
ROW("slogdet", torch.slogdet, [definite(5)], "fd", False)
ROW("eig", lambda a: torch.eig(a)[0][:, 0].sort()[0], [definite(5)], "fd", False)
ROW("lstsq", lambda b, a: torch.lstsq(b, a)[0], [normal(6, 2), definite(6)], "fd", False)
ROW("inverse batch", torch.inverse, [lambda kind: torch.stack([definite(4)(kind) for _ in range(3)])])
ROW("solve batch", lambda b, a: torch.solve(b, a)[0], [normal(3, 4, 2), lambda kind: torch.stack([definite(4)(kind) for _ in range(3)])])
ROW("rrelu", lambda a: F.rrelu(a, training=False), [A])
ROW("poisson_nll_loss", F.poisson_nll_loss, [A, B])
ROW("soft_margin_loss", lambda a, b: F.soft_margin_loss(a, b.sign().detach()), [A, B])
ROW("multilabel_margin_loss", F.multilabel_margin_loss, [A, index(65, 33, 65)])
ROW("multilabel_soft_margin_loss", lambda a, b: F.multilabel_soft_margin_loss(a, (b > 0).to(b.dtype)), [A, B])
ROW("triplet_margin_loss", F.triplet_margin_loss, [A, B, P])
ROW("margin_ranking_loss", lambda a, b, c: F.margin_ranking_loss(a, b, c.sign().detach()), [A, B, B])
ROW("cosine_embedding_loss", lambda a, b, c: F.cosine_embedding_loss(a, b, c.sign().detach()), [A, B, normal(33)])
ROW("unfold columns", lambda a: F.unfold(a, 3, padding=1), [IMAGE])
ROW("max_unpool2d", lambda a: F.max_unpool2d(*F.max_pool2d(a, 2, return_indices=True), 2), [apart(2, 3, 12, 14)])
ROW("fractional_max_pool2d", lambda a: F.fractional_max_pool2d(a, 2, output_size=6, _random_samples=torch.full((2, 3, 2), 0.3, device=a.device, dtype=a.dtype)),
    [apart(2, 3, 12, 14)])
ROW("avg_pool1d", lambda a: F.avg_pool1d(a, 3), [normal(2, 3, 20)])
ROW("adaptive_avg_pool1d", lambda a: F.adaptive_avg_pool1d(a, 5), [normal(2, 3, 20)])
# Its gradient on GPUs reads rows as far apart as the input's, beyond the end: the PTX says so.
ROW("adaptive_avg_pool3d", lambda a: F.adaptive_avg_pool3d(a, 2), [normal(1, 2, 6, 8, 10)], "fd", False)
ROW("interpolate linear", lambda a: F.interpolate(a, scale_factor=2, mode="linear", align_corners=False), [normal(2, 3, 20)])
ROW("interpolate trilinear", lambda a: F.interpolate(a, scale_factor=2, mode="trilinear", align_corners=False), [normal(1, 2, 4, 5, 6)])
ROW("conv_transpose1d", lambda a, w: F.conv_transpose1d(a, w, stride=2), [normal(2, 3, 20), normal(3, 4, 5)])
ROW("conv_transpose3d", lambda a, w: F.conv_transpose3d(a, w, stride=2), [normal(1, 2, 4, 5, 6), normal(2, 3, 3, 3, 3)])
ROW("embedding_bag mean", lambda i, a: F.embedding_bag(i, a, mode="mean"), [index(33, 4, 5), A])
ROW("embedding_bag max", lambda i, a: F.embedding_bag(i, a, mode="max"), [index(33, 4, 5), S])
