#include "passes/Lower/Formulas/ChannelRoles.h"

using namespace mlir;

namespace cameo::lower {

ChannelRoles::ChannelRoles(GenericBuilder &b, int64_t groups, Dim inputChannels, Dim outputChannels,
                           unsigned spatialRank, bool channelsLast, unsigned extra)
    : b(b), groups(groups), spatialRank(spatialRank), channelsLast(channelsLast), extra(extra) {
  bool isDepthwise = inputChannels == groups && outputChannels == groups;
  kind = groups == 1 ? Kind::Dense : isDepthwise ? Kind::Depthwise : Kind::Grouped;
}

Loops ChannelRoles::loops(unsigned kernelRank) const {
  return {outputChannel() + 1, firstKernel() - outputChannel() - 1 + kernelRank};
}

Value ChannelRoles::splitActivation(Value tensor) const {
  if (kind != Kind::Grouped)
    return tensor;
  unsigned position = channelPosition();
  return b.splitDim(tensor, position, {groups, shapeOf(tensor)[position] / groups});
}

Value ChannelRoles::joinActivation(Value tensor) const {
  return kind == Kind::Grouped ? b.joinDims(tensor, channelPosition(), 2) : tensor;
}

unsigned ChannelRoles::spatialPosition() const { return channelsLast ? 1 : kind == Kind::Grouped ? 3 : 2; }

Exprs ChannelRoles::activationIndex(const Exprs &spatial, unsigned channelLoop) const {
  Exprs channels;
  if (kind == Kind::Grouped)
    channels.push_back(b.dim(1));
  channels.push_back(b.dim(channelLoop));
  Exprs index = {b.dim(0)};
  index.append(channelsLast ? spatial : channels);
  index.append(channelsLast ? channels : spatial);
  return index;
}

Exprs ChannelRoles::inputIndex(const Exprs &spatial) const {
  return activationIndex(spatial, kind == Kind::Depthwise ? outputChannel() : inputChannel());
}

Value ChannelRoles::splitFilter(Value tensor) const {
  return kind == Kind::Grouped ? b.splitDim(tensor, 0, {groups, shapeOf(tensor)[0] / groups}) : tensor;
}

Exprs ChannelRoles::filterIndex(const Exprs &kernel, bool transposed) const {
  Exprs index;
  if (kind == Kind::Depthwise) {
    index = {b.dim(outputChannel()), b.fixed(0)};
  } else {
    if (kind == Kind::Grouped)
      index.push_back(b.dim(1));
    index.push_back(b.dim(transposed ? inputChannel() : outputChannel()));
    index.push_back(b.dim(transposed ? outputChannel() : inputChannel()));
  }
  index.append(kernel);
  return index;
}

Access ChannelRoles::biasAccess(Value bias, unsigned spatialDims) const {
  unsigned position = channelsLast ? 1 + spatialDims : 1;
  if (kind != Kind::Grouped)
    return {bias, {b.dim(position)}};
  return {b.splitDim(bias, 0, {groups, shapeOf(bias)[0] / groups}), {b.dim(position), b.dim(position + 1)}};
}

} // namespace cameo::lower
