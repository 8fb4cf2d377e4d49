/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See shim.h. This is the only C++ file of the compiler. */
#include "shim.h"

#include <cstring>

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Instrumentation/SanitizerCoverage.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EntryExitInstrumenter.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Import.h"

void uw_shim_register_import(MlirDialectRegistry registry) {
  mlir::registerAllFromLLVMIRTranslations(*unwrap(registry));
}

bool uw_shim_link_needed(LLVMModuleRef to, LLVMModuleRef owned_from) {
  return llvm::Linker::linkModules(*llvm::unwrap(to), std::unique_ptr<llvm::Module>(llvm::unwrap(owned_from)),
                                   llvm::Linker::LinkOnlyNeeded);
}

MlirModule uw_shim_import_llvm(LLVMModuleRef owned_module, MlirContext context) {
  std::unique_ptr<llvm::Module> module(llvm::unwrap(owned_module));
  return wrap(mlir::translateLLVMIRToModule(std::move(module), unwrap(context), /*emitExpensiveWarnings=*/false,
                                            /*dropDICompositeTypeElements=*/true)
                  .release());
}

bool uw_shim_is_pure(MlirOperation op) { return mlir::isPure(unwrap(op)); }

namespace {
struct NoEffects : mlir::MemoryEffectOpInterface::FallbackModel<NoEffects> {
  void getEffects(mlir::Operation *, llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &) const {}
};
struct Anywhere : mlir::ConditionallySpeculatable::FallbackModel<Anywhere> {
  mlir::Speculation::Speculatability getSpeculatability(mlir::Operation *) const {
    return mlir::Speculation::Speculatable;
  }
};
} // namespace

void uw_shim_mark_pure(MlirContext context, const char *name) {
  mlir::RegisteredOperationName::lookup(name, unwrap(context))->attachInterface<NoEffects, Anywhere>();
}

bool uw_shim_is_effect_free(MlirOperation op) { return mlir::isMemoryEffectFree(unwrap(op)); }

uint64_t uw_shim_array_length(MlirType type) {
  return llvm::cast<mlir::LLVM::LLVMArrayType>(unwrap(type)).getNumElements();
}

unsigned uw_shim_no_wrap_flags(MlirOperation op) {
  auto operation = llvm::dyn_cast<mlir::arith::ArithIntegerOverflowFlagsInterface>(unwrap(op));
  if (!operation)
    return UW_WRAPS;
  return (operation.hasNoSignedWrap() ? UW_NSW : 0) | (operation.hasNoUnsignedWrap() ? UW_NUW : 0);
}

namespace {
/* The bounds of one kind: numbers, and operands where a number is kDynamic. */
struct Bounds {
  mlir::scf::ForallOp loop;
  unsigned which;

  llvm::ArrayRef<int64_t> numbers() {
    return which == 0 ? loop.getStaticLowerBound() : which == 1 ? loop.getStaticUpperBound() : loop.getStaticStep();
  }
  mlir::MutableOperandRange operands() {
    return which == 0   ? loop.getDynamicLowerBoundMutable()
           : which == 1 ? loop.getDynamicUpperBoundMutable()
                        : loop.getDynamicStepMutable();
  }
  void setNumbers(llvm::ArrayRef<int64_t> numbers) {
    which == 0   ? loop.setStaticLowerBound(numbers)
    : which == 1 ? loop.setStaticUpperBound(numbers)
                 : loop.setStaticStep(numbers);
  }
};
} // namespace

MlirValue uw_shim_forall_bound(MlirOperation loop, unsigned which, size_t dimension, int64_t *number) {
  Bounds bounds{llvm::cast<mlir::scf::ForallOp>(unwrap(loop)), which};
  llvm::ArrayRef<int64_t> numbers = bounds.numbers();
  *number = numbers[dimension];
  if (!mlir::ShapedType::isDynamic(*number))
    return MlirValue{nullptr};
  return wrap(bounds.operands()[llvm::count_if(numbers.take_front(dimension), mlir::ShapedType::isDynamic)].get());
}

void uw_shim_forall_set_bound(MlirOperation loop, unsigned which, size_t dimension, MlirValue value) {
  Bounds bounds{llvm::cast<mlir::scf::ForallOp>(unwrap(loop)), which};
  llvm::SmallVector<int64_t> numbers(bounds.numbers());
  llvm::SmallVector<mlir::Value> operands(mlir::OperandRange(bounds.operands()));
  size_t place = llvm::count_if(llvm::ArrayRef(numbers).take_front(dimension), mlir::ShapedType::isDynamic);
  if (mlir::ShapedType::isDynamic(numbers[dimension]))
    operands[place] = unwrap(value);
  else
    operands.insert(operands.begin() + place, unwrap(value));
  numbers[dimension] = mlir::ShapedType::kDynamic;
  bounds.operands().assign(operands);
  bounds.setNumbers(numbers);
}

void uw_shim_forall_add_dim(MlirOperation loop, MlirValue upper, MlirAttribute mapping) {
  auto forall = llvm::cast<mlir::scf::ForallOp>(unwrap(loop));
  mlir::Type index = mlir::IndexType::get(forall.getContext());
  const int64_t numbers[] = {0, mlir::ShapedType::kDynamic, 1};
  for (unsigned which = 0; which < 3; which++) {
    Bounds bounds{forall, which};
    llvm::SmallVector<int64_t> all(bounds.numbers());
    all.push_back(numbers[which]);
    if (which == 1)
      bounds.operands().append(unwrap(upper));
    bounds.setNumbers(all);
  }
  llvm::SmallVector<mlir::Attribute> mappings(forall.getMappingAttr().getValue());
  mappings.push_back(unwrap(mapping));
  forall.setMappingAttr(mlir::ArrayAttr::get(forall.getContext(), mappings));
  forall.getBody()->insertArgument(mappings.size() - 1, index, forall.getLoc());
}

int uw_shim_mapped_dim(MlirOperation loop, size_t dimension) {
  mlir::ArrayAttr mapping = llvm::cast<mlir::scf::ForallOp>(unwrap(loop)).getMappingAttr();
  return (int)llvm::cast<mlir::DeviceMappingAttrInterface>(mapping[dimension]).getMappingId();
}

int uw_shim_mapping(MlirOperation op) {
  auto loop = llvm::dyn_cast<mlir::scf::ForallOp>(unwrap(op));
  mlir::ArrayAttr mapping = loop ? loop.getMappingAttr() : nullptr;
  if (!mapping || mapping.empty())
    return UW_MAPS_NOTHING;
  return llvm::TypeSwitch<mlir::Attribute, int>(mapping[0])
      .Case([](mlir::gpu::GPUBlockMappingAttr) { return UW_MAPS_BLOCKS; })
      .Case([](mlir::gpu::GPUThreadMappingAttr) { return UW_MAPS_THREADS; })
      .Case([](mlir::gpu::GPUWarpMappingAttr) { return UW_MAPS_WARPS; })
      .Case([](mlir::gpu::GPULaneMappingAttr) { return UW_MAPS_LANES; })
      .Default([](mlir::Attribute) { return UW_MAPS_NOTHING; });
}

void uw_shim_set_target_options(LLVMTargetMachineRef machine) {
  llvm::TargetOptions &options = reinterpret_cast<llvm::TargetMachine *>(machine)->Options;
  options.UseInitArray = true;
  options.MCOptions.MCUseDwarfDirectory = llvm::MCTargetOptions::DisableDwarfDirectory;
}

void uw_shim_delete_alias(LLVMValueRef alias) { llvm::unwrap<llvm::GlobalAlias>(alias)->eraseFromParent(); }

void uw_shim_strip_debug_info(LLVMValueRef function) { llvm::stripDebugInfo(*llvm::unwrap<llvm::Function>(function)); }

void uw_shim_own_subprogram(MlirOperation function) {
  mlir::Operation *op = unwrap(function);
  auto location = op->getLoc()->findInstanceOf<mlir::FusedLocWith<mlir::LLVM::DISubprogramAttr>>();
  if (!location)
    return;
  mlir::LLVM::DISubprogramAttr old = location.getMetadata();
  auto number = mlir::DistinctAttr::create(mlir::UnitAttr::get(op->getContext()));
  auto own = mlir::LLVM::DISubprogramAttr::get(
      op->getContext(), old.getRecId(), old.getIsRecSelf(), number, old.getCompileUnit(), old.getScope(), old.getName(),
      old.getLinkageName(), old.getFile(), old.getLine(), old.getScopeLine(), old.getSubprogramFlags(), old.getType(),
      old.getRetainedNodes(), old.getAnnotations());
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](mlir::LLVM::DISubprogramAttr attribute) -> std::optional<mlir::Attribute> {
    return attribute == old ? own : attribute;
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/false, /*replaceLocs=*/true);
}

void uw_shim_set_local(LLVMValueRef global, bool local) { llvm::unwrap<llvm::GlobalValue>(global)->setDSOLocal(local); }

unsigned uw_shim_overflow_flags(MlirOperation op) {
  auto flagged = llvm::dyn_cast<mlir::LLVM::IntegerOverflowFlagsInterface>(unwrap(op));
  return flagged ? static_cast<unsigned>(flagged.getOverflowFlags()) : 0;
}

char *uw_shim_demangle(const char *symbol) { return strdup(llvm::demangle(symbol).c_str()); }

MlirAttribute uw_shim_fold(MlirOperation op, size_t count, const MlirAttribute *operands) {
  llvm::SmallVector<mlir::Attribute> known;
  for (size_t i = 0; i < count; i++)
    known.push_back(unwrap(operands[i]));
  mlir::Operation *copy = unwrap(op)->clone(); /* folding may change the operation itself */
  llvm::SmallVector<mlir::OpFoldResult> results;
  mlir::Attribute result;
  if (mlir::succeeded(copy->fold(known, results)) && results.size() == 1) {
    result = llvm::dyn_cast<mlir::Attribute>(results[0]);
    if (auto value = llvm::dyn_cast<mlir::Value>(results[0]))
      for (size_t i = 0; i < count; i++)
        if (value == copy->getOperand(i))
          result = known[i];
  }
  copy->destroy();
  return wrap(result);
}

MlirOperation uw_shim_previous(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }

void uw_shim_split_if(LLVMValueRef condition, LLVMValueRef before, LLVMValueRef ends[2]) {
  llvm::Instruction *then_end = nullptr, *else_end = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(llvm::unwrap(condition), llvm::unwrap<llvm::Instruction>(before)->getIterator(),
                                      &then_end, &else_end);
  ends[0] = llvm::wrap(then_end);
  ends[1] = llvm::wrap(else_end);
}

unsigned uw_shim_register_bytes(LLVMTargetMachineRef machine, LLVMValueRef function) {
  auto info =
      reinterpret_cast<llvm::TargetMachine *>(machine)->getTargetTransformInfo(*llvm::unwrap<llvm::Function>(function));
  return static_cast<unsigned>(
      info.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() / 8);
}

bool uw_shim_can_gather(LLVMTargetMachineRef machine, LLVMValueRef function, LLVMTypeRef type, bool stores) {
  auto info =
      reinterpret_cast<llvm::TargetMachine *>(machine)->getTargetTransformInfo(*llvm::unwrap<llvm::Function>(function));
  auto *vector = llvm::cast<llvm::FixedVectorType>(llvm::unwrap(type));
  llvm::Align alignment(1); /* x86 asks for none */
  return stores ? info.isLegalMaskedScatter(vector, alignment) && !info.forceScalarizeMaskedScatter(vector, alignment)
                : info.isLegalMaskedGather(vector, alignment) && !info.forceScalarizeMaskedGather(vector, alignment);
}

unsigned uw_shim_known_alignment(LLVMValueRef address, LLVMModuleRef module) {
  return static_cast<unsigned>(
      llvm::getKnownAlignment(llvm::unwrap(address), llvm::unwrap(module)->getDataLayout()).value());
}

/* Whether an address in the loop is computed from the value. */
static bool reaches_address(llvm::Instruction *value, const llvm::Loop *loop) {
  llvm::SmallSetVector<llvm::Instruction *, 16> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); i++)
    for (llvm::User *user : reached[i]->users()) {
      auto *op = llvm::cast<llvm::Instruction>(user);
      if (llvm::getLoadStorePointerOperand(op) == reached[i])
        return true;
      if (loop->contains(op) && !llvm::isa<llvm::LoadInst, llvm::StoreInst>(op))
        reached.insert(op);
    }
  return false;
}

/* Is it the remainder of a value by a power of two of which the analysis has not shown that it does not start anew among
 * the loop's iterations? Where it has, it knows the remainder as a sum that goes on. */
static bool may_start_anew(llvm::Instruction &op, const llvm::Loop *loop, llvm::ScalarEvolution &evolution) {
  if (op.getOpcode() != llvm::Instruction::And || !llvm::isa<llvm::ConstantInt>(op.getOperand(1)))
    return false;
  auto *extended = llvm::dyn_cast<llvm::SCEVZeroExtendExpr>(evolution.getSCEV(&op));
  return extended && !evolution.isLoopInvariant(extended, loop) && reaches_address(&op, loop);
}

static void hide(llvm::Instruction *op) {
  auto *hidden = new llvm::FreezeInst(op, "", std::next(op->getIterator()));
  op->replaceUsesWithIf(hidden, [hidden](const llvm::Use &use) { return use.getUser() != hidden; });
}

namespace {
struct before_vectoriser : llvm::PassInfoMixin<before_vectoriser> {
  uw_tame_division tame;

  explicit before_vectoriser(uw_tame_division tame) : tame(tame) {}

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    auto &dominance = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    bool changed = false;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      if (!loop->isInnermost())
        continue;
      llvm::SmallVector<llvm::Instruction *> divisions, rests;
      llvm::BasicBlock *latch = loop->getLoopLatch(), *front = loop->getLoopPreheader();
      for (llvm::BasicBlock *block : loop->blocks())
        for (llvm::Instruction &op : *block)
          if (op.isIntDivRem() && !(latch && dominance.dominates(block, latch)) &&
              !llvm::isSafeToSpeculativelyExecute(&op) && reaches_address(&op, loop))
            divisions.push_back(&op);
      for (llvm::Instruction *op : divisions) {
        auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
        if (!evolution.isSCEVable(op->getType()) || llvm::isa<llvm::SCEVUnknown>(evolution.getSCEV(op)))
          continue;
        bool same = front && loop->makeLoopInvariant(op->getOperand(0), changed) &&
                    loop->makeLoopInvariant(op->getOperand(1), changed);
        tame(llvm::wrap(op), same ? llvm::wrap(front->getTerminator()) : nullptr);
        changed = true;
      }
      for (llvm::BasicBlock *block : loop->blocks())
        for (llvm::Instruction &op : *block)
          if (may_start_anew(op, loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)))
            rests.push_back(&op);
      for (llvm::Instruction *op : rests) {
        hide(op);
        changed = true;
      }
    }
    llvm::PreservedAnalyses kept = changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
  }
};
} // namespace

/* Of what LLVM noted at calls, SCALAR's variants "_ZGV_LLVM_N8v_expf(_ZGVdN8v_expf),…", leaves what the function can
 * call. */
static void drop_variants(llvm::Function &function, LLVMTargetMachineRef machine, const uw_vector_library *library) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &op : block) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&op);
      llvm::SmallVector<std::string, 8> all, kept;
      if (!call || !call->hasFnAttr(llvm::VFABI::MappingsAttrName))
        continue;
      llvm::VFABI::getVectorVariantNames(*call, all);
      for (const std::string &variant : all) {
        llvm::StringRef symbol = llvm::StringRef(variant).split('(').second.drop_back();
        if (library->can_call(machine, llvm::wrap(&function), symbol.data(), symbol.size()))
          kept.push_back(variant);
      }
      call->removeFnAttr(llvm::VFABI::MappingsAttrName);
      llvm::VFABI::setVectorVariantNames(call, kept);
    }
}

/* From each instruction LLVM looks for sums of what leads to it, to take their terms in vectors. In functions of
 * thousands of instructions that takes a fifth of its time, and sums of floating point, whose order has to stay, are
 * none. So large functions go without; neighbouring stores are taken together there all the same. */
static void leave_out_sums(llvm::StringRef pass, llvm::Any ir) {
  enum { MOST_INSTRUCTIONS = 1000 };
  auto *function = llvm::any_cast<const llvm::Function *>(&ir);
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("slp-vectorize-hor");
  if (pass == "SLPVectorizerPass" && function && found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)
        ->setValue((*function)->getInstructionCount() <= MOST_INSTRUCTIONS);
}

/* As clang's driver reads them: what is called at all is called at edges unless func or bb is said. */
static llvm::SanitizerCoverageOptions coverage_of(llvm::StringRef words) {
  using options = llvm::SanitizerCoverageOptions;
  options result;
  static const struct {
    const char *word;
    bool options::*field;
  } fields[] = {{"indirect-calls", &options::IndirectCalls},
                {"trace-cmp", &options::TraceCmp},
                {"trace-div", &options::TraceDiv},
                {"trace-gep", &options::TraceGep},
                {"trace-pc", &options::TracePC},
                {"trace-pc-guard", &options::TracePCGuard},
                {"no-prune", &options::NoPrune},
                {"inline-8bit-counters", &options::Inline8bitCounters},
                {"inline-bool-flag", &options::InlineBoolFlag},
                {"pc-table", &options::PCTable},
                {"stack-depth", &options::StackDepth},
                {"trace-loads", &options::TraceLoads},
                {"trace-stores", &options::TraceStores},
                {"control-flow", &options::CollectControlFlow}};
  llvm::SmallVector<llvm::StringRef> list;
  words.split(list, ',');
  for (llvm::StringRef word : list) {
    if (word == "func")
      result.CoverageType = options::SCK_Function;
    if (word == "bb")
      result.CoverageType = options::SCK_BB;
    if (word == "edge")
      result.CoverageType = options::SCK_Edge;
    for (const auto &one : fields)
      if (word == one.word)
        result.*one.field = true;
  }
  bool calls = result.TracePC || result.TracePCGuard || result.Inline8bitCounters || result.InlineBoolFlag ||
               result.StackDepth || result.TraceLoads || result.TraceStores || result.CollectControlFlow;
  if (result.CoverageType != options::SCK_None && !calls)
    result.TracePCGuard = true;
  if (result.CoverageType == options::SCK_None)
    result.CoverageType = options::SCK_Edge;
  return result;
}

LLVMErrorRef uw_shim_optimise(LLVMModuleRef module, const char *pipeline, LLVMTargetMachineRef machine, bool vectorise,
                              uw_tame_division tame, const uw_vector_library *library, const char *coverage) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = vectorise;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerAfterPassCallback([=](llvm::StringRef pass, llvm::Any ir, const llvm::PreservedAnalyses &) {
    auto *function = llvm::any_cast<const llvm::Function *>(&ir);
    if (pass == "InjectTLIMappings" && function)
      drop_variants(const_cast<llvm::Function &>(**function), machine, library);
  });
  callbacks.registerBeforeNonSkippedPassCallback(leave_out_sums);
  llvm::PassBuilder builder(reinterpret_cast<llvm::TargetMachine *>(machine), tuning, std::nullopt, &callbacks);
  if (vectorise)
    builder.registerVectorizerStartEPCallback([tame](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
      passes.addPass(before_vectoriser(tame));
    });
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::EntryExitInstrumenterPass(/*PostInlining=*/false)));
  });           /* -finstrument-functions, by attributes; -after-inlining is the back end's */
  if (coverage) /* before kernels are inlined into host functions, and before functions are taken for pure */
    builder.registerPipelineStartEPCallback([coverage](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
      passes.addPass(llvm::SanitizerCoveragePass(coverage_of(coverage)));
    });
  llvm::LoopAnalysisManager of_loops;
  llvm::FunctionAnalysisManager of_functions;
  llvm::CGSCCAnalysisManager of_calls;
  llvm::ModuleAnalysisManager of_modules;
  llvm::TargetLibraryInfoImpl functions(llvm::Triple(llvm::unwrap(module)->getTargetTriple()));
  llvm::SmallVector<llvm::VecDesc> vectors;
  for (size_t i = 0; i < library->count; i++) {
    const uw_vector_function &one = library->functions[i];
    vectors.emplace_back(one.scalar, one.symbol, llvm::ElementCount::getFixed(one.lanes), /*Masked=*/false, one.variant,
                         std::nullopt);
  }
  functions.addVectorizableFunctions(vectors);
  of_functions.registerPass([&] { return llvm::TargetLibraryAnalysis(functions); }); /* the first one stays */
  builder.registerLoopAnalyses(of_loops);
  builder.registerFunctionAnalyses(of_functions);
  builder.registerCGSCCAnalyses(of_calls);
  builder.registerModuleAnalyses(of_modules);
  builder.crossRegisterProxies(of_loops, of_functions, of_calls, of_modules);
  llvm::StandardInstrumentations standard(llvm::unwrap(module)->getContext(),
                                          /*DebugLogging=*/false); /* what is optnone is left alone */
  standard.registerCallbacks(callbacks, &of_modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return llvm::wrap(std::move(error));
  passes.run(*llvm::unwrap(module), of_modules);
  return LLVMErrorSuccess;
}
