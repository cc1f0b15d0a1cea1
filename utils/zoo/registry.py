"""Every network the zoo can make, by the stem of its file, and the forms that it can have."""

from typing import Callable, NamedTuple

import onnx

import audio
import bert
import decoder
import densenet
import detector
import diffusion
import dynamic_quantize
import efficientnet
import float16
import gemma
import gpt2
import inception
import lstm
import mlp
import mobilenet
import resnet
import sam
import squeezenet
import t5
import unet
import vgg
import vit
import vits
import whisper
import yolo
from graph_builder import Options


class Network(NamedTuple):
    build: Callable
    summary: str


NETWORKS = {
    "audio_cnn": Network(audio.audio_cnn, "1-D network on a waveform, BatchNorm kept, HardSwish"),
    "bert_base": Network(bert.bert_base, "BERT base, 128 tokens, LayerNorm decomposed, shapes computed"),
    "bert_base_opset17": Network(bert.bert_base_opset17, "BERT base, 128 tokens, LayerNormalization, shapes constant"),
    "densenet121": Network(densenet.densenet121, "DenseNet-121, BatchNorm before convolution"),
    "detector": Network(detector.detector, "one-stage detector, Resize, Loop over classes, NonMaxSuppression"),
    "efficientnet_b0": Network(efficientnet.efficientnet_b0, "EfficientNet-B0 from TensorFlow, channels-last input, SiLU"),
    "gemma2": Network(gemma.gemma2, "decoder like Gemma 2, scores capped, windows, caches that grow, all lengths symbolic"),
    "gpt2_decode": Network(gpt2.gpt2_decode, "GPT-2 small, one decoding step with a symbolic past length"),
    "gpt_oss_int4": Network(decoder.gpt_oss_int4, "decoder like gpt-oss, experts of int4, sinks and windows, as onnxruntime-genai has them"),
    "inception_v3": Network(inception.inception_v3, "Inception v3, branches and concatenation"),
    "llama_int4": Network(decoder.llama_int4, "1.1B decoder, int4 weights and grouped queries as onnxruntime-genai has them"),
    "lstm_text": Network(lstm.lstm_text, "text classifier, two bidirectional LSTM layers"),
    "minilm": Network(bert.minilm, "MiniLM, embeddings of sentences, all lengths symbolic"),
    "mlp": Network(mlp.mlp, "784-256-128-10 with ReLU"),
    "mlp_tiny": Network(mlp.mlp_tiny, "16-32-4 with ReLU and Softmax"),
    "mobilenetv2": Network(mobilenet.mobilenetv2, "MobileNetV2, BatchNorm folded, ReLU6 as Clip"),
    "resnet18": Network(resnet.resnet18, "ResNet-18, BatchNorm folded"),
    "resnet18_qdq": Network(resnet.resnet18_qdq, "resnet18 in int8, QuantizeLinear/DequantizeLinear pairs"),
    "resnet50": Network(resnet.resnet50, "ResNet-50, BatchNorm kept"),
    "sam_decoder": Network(sam.sam_decoder, "Segment Anything's mask decoder, the original image's size is an input"),
    "sd_unet_block": Network(diffusion.sd_unet_block, "a level of Stable Diffusion's U-Net in f16, GroupNorm by InstanceNormalization"),
    "squeezenet11": Network(squeezenet.squeezenet11, "SqueezeNet 1.1, pools that round up, Dropout left in"),
    "t5_encoder": Network(t5.t5_encoder, "T5's encoder, buckets of relative positions computed, all lengths symbolic"),
    "unet": Network(unet.unet, "U-Net on 256x256, ConvTranspose, BatchNorm kept"),
    "unet_512": Network(unet.unet_512, "U-Net on 512x512, BatchNorm folded"),
    "unet_any": Network(unet.unet_any, "U-Net on images of any size, BatchNorm folded"),
    "vgg11": Network(vgg.vgg11, "VGG-11, no BatchNorm, large Gemm"),
    "vit_b16": Network(vit.vit_b16, "ViT-B/16, LayerNormalization, one matrix for query, key and value"),
    "vits": Network(vits.vits, "speech like VITS, predicted durations decide how long the wave is"),
    "whisper_decoder_merged": Network(whisper.whisper_decoder_merged, "Whisper tiny's decoder, an If over prompt and cached step, all lengths symbolic"),
    "yolov8": Network(yolo.yolov8, "detector like YOLOv8, boxes by softmax, NonMaxSuppression inside"),
}


# What is made of a network in float32.
FORMS = {
    "float32": lambda model: model,
    "float16": float16.halve,
    "int8": dynamic_quantize.quantise,
}


class NoForm(Exception):
    """A network that cannot be in a form, for example because an operator accepts float32 only."""


def make_model(name, options=Options(), form="float32"):
    model = FORMS[form](NETWORKS[name].build(options).model())
    if form != "float32":
        try:
            onnx.checker.check_model(model, full_check=True)
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
            raise NoForm(f"'{name}' has no {form} form: {str(error).strip().splitlines()[-1]}") from None
    return model
