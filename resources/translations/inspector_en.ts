<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>Inspector</name>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>at full CPU speed</source>
      <translation>at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>median at full CPU speed</source>
      <translation>median at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>median of all runs</source>
      <translation>median of all runs</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="601"></location>
      <source>of all runs</source>
      <translation>of all runs</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>one process</source>
      <translation>one process</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>p95 at full CPU speed</source>
      <translation>p95 at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>p95 needs 20 runs</source>
      <translation>p95 needs 20 runs</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>p95 of all runs</source>
      <translation>p95 of all runs</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py" line="1"></location>
      <source>within one process</source>
      <translation>within one process</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py" line="1"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="63"></location>
      <source>Layers supported</source>
      <translation>Layers supported</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py" line="1"></location>
      <source>Load time</source>
      <translation>Load time</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py" line="1"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="469"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="379"></location>
      <source>Peak model memory</source>
      <translation>Peak model memory</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py" line="1"></location>
      <source>p50</source>
      <translation>p50</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py" line="1"></location>
      <source>p95</source>
      <translation>p95</translation>
    </message>
    <message>
      <location filename="inspector/backends/litert/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Number of threads, which share the work of one operator</source>
      <translation>Number of threads, which share the work of one operator</translation>
    </message>
    <message>
      <location filename="inspector/backends/litert/info.py" line="1"></location>
      <source>Run supported layers with XNNPACK instead of LiteRT's own kernels</source>
      <translation>Run supported layers with XNNPACK instead of LiteRT's own kernels</translation>
    </message>
    <message>
      <location filename="inspector/backends/litert/info.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="127"></location>
      <source>Threads</source>
      <translation>Threads</translation>
    </message>
    <message>
      <location filename="inspector/backends/litert/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="43"></location>
      <source>XNNPACK</source>
      <translation>XNNPACK</translation>
    </message>
    <message>
      <location filename="inspector/backends/litert/info.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="59"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="334"></location>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py" line="39"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="82"></location>
      <source>default</source>
      <translation>default</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="47"></location>
      <location filename="inspector/ui/tabs/comparison/tables.py" line="244"></location>
      <source>All</source>
      <translation>All</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Allocate from the runtime's memory arena instead of the system</source>
      <translation>Allocate from the runtime's memory arena instead of the system</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Basic</source>
      <translation>Basic</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Bytes</source>
      <translation>Bytes</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Compiled</source>
      <translation>Compiled</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Custom operators</source>
      <translation>Custom operators</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Execution mode</source>
      <translation>Execution mode</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Execution provider options</source>
      <translation>Execution provider options</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Extended</source>
      <translation>Extended</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="44"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="27"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="730"></location>
      <source>File</source>
      <translation>File</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Forced to CPU</source>
      <translation>Forced to CPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Graph optimization level: how far ONNX Runtime rewrites and fuses layers</source>
      <translation>Graph optimization level: how far ONNX Runtime rewrites and fuses layers</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>How the model is passed to the runtime: as a file, as its bytes, re-serialized by Inspector, or in the form that the device compiled earlier</source>
      <translation>How the model is passed to the runtime: as a file, as its bytes, re-serialized by Inspector, or in the form that the device compiled earlier</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="39"></location>
      <location filename="inspector/ui/window/sidebar.py" line="322"></location>
      <source>I/O binding</source>
      <translation>I/O binding</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Idle threads busy-wait for work: lower latency, but a core stays busy</source>
      <translation>Idle threads busy-wait for work: lower latency, but a core stays busy</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="293"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="273"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="277"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="309"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="764"></location>
      <source>Inputs</source>
      <translation>Inputs</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/overview/shares.py" line="112"></location>
      <source>Inputs and outputs</source>
      <translation>Inputs and outputs</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Inter-op threads</source>
      <translation>Inter-op threads</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Layers that always run on the CPU, by name, index or pattern such as '/head/*', separated by semicolons: to raise accuracy or to isolate a failure</source>
      <translation>Layers that always run on the CPU, by name, index or pattern such as '/head/*', separated by semicolons: to raise accuracy or to isolate a failure</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Libraries that provide custom operators of this model, separated by semicolons. Their code runs in the engine process: choose only those you trust</source>
      <translation>Libraries that provide custom operators of this model, separated by semicolons. Their code runs in the engine process: choose only those you trust</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Load from</source>
      <translation>Load from</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Memory arena</source>
      <translation>Memory arena</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Memory pattern</source>
      <translation>Memory pattern</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="159"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="49"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="94"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="102"></location>
      <source>None</source>
      <translation>None</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Number of intra-op threads that share the work of one operator</source>
      <translation>Number of intra-op threads that share the work of one operator</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Number of operators that run at the same time in the parallel execution mode</source>
      <translation>Number of operators that run at the same time in the parallel execution mode</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>On device</source>
      <translation>On device</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="114"></location>
      <source>Optimization</source>
      <translation>Optimization</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Options of the device's execution provider, separated by semicolons</source>
      <translation>Options of the device's execution provider, separated by semicolons</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Parallel</source>
      <translation>Parallel</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Pass inputs with each call (None), bind inputs to memory once, also bind outputs, or keep both in device memory</source>
      <translation>Pass inputs with each call (None), bind inputs to memory once, also bind outputs, or keep both in device memory</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Preallocate memory for the shapes of earlier runs</source>
      <translation>Preallocate memory for the shapes of earlier runs</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Re-serialized copy</source>
      <translation>Re-serialized copy</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Run one operator at a time, or independent operators in parallel</source>
      <translation>Run one operator at a time, or independent operators in parallel</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Sequential</source>
      <translation>Sequential</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>The CPU provider has no options; choose another device</source>
      <translation>The CPU provider has no options; choose another device</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>The CPU runs all layers. To force layers onto the CPU, choose another device first.</source>
      <translation>The CPU runs all layers. To force layers onto the CPU, choose another device first.</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/info.py" line="1"></location>
      <source>Thread spinning</source>
      <translation>Thread spinning</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>AMD GPU</source>
      <translation>AMD GPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>AMD Ryzen AI NPU</source>
      <translation>AMD Ryzen AI NPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Android</source>
      <translation>Android</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Browser (CPU, GPU, or NPU)</source>
      <translation>Browser (CPU, GPU, or NPU)</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Browser and desktop GPU</source>
      <translation>Browser and desktop GPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Intel CPU and NPU</source>
      <translation>Intel CPU and NPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Intel GPU</source>
      <translation>Intel GPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>NVIDIA GPU</source>
      <translation>NVIDIA GPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>NVIDIA GPU, compiled</source>
      <translation>NVIDIA GPU, compiled</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>NVIDIA RTX GPU, compiled</source>
      <translation>NVIDIA RTX GPU, compiled</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>No</source>
      <translation>No</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Not known</source>
      <translation>Not known</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Partly</source>
      <translation>Partly</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Phone CPU</source>
      <translation>Phone CPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Phone GPU</source>
      <translation>Phone GPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Qualcomm DSP</source>
      <translation>Qualcomm DSP</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Qualcomm NPU</source>
      <translation>Qualcomm NPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Windows GPU</source>
      <translation>Windows GPU</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>Yes</source>
      <translation>Yes</translation>
    </message>
    <message>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <location filename="inspector/backends/onnxruntime/placement/targets.py" line="1"></location>
      <source>iPhone, iPad and Mac</source>
      <translation>iPhone, iPad and Mac</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Data type in which floating-point layers are computed. OpenVINO's default depends on the device and may round to 16 bits; float32 does not.</source>
      <translation>Data type in which floating-point layers are computed. OpenVINO's default depends on the device and may round to 16 bits; float32 does not.</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Device default</source>
      <translation>Device default</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Inference precision</source>
      <translation>Inference precision</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="409"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="64"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="140"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="272"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="273"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="49"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="37"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="154"></location>
      <source>Latency</source>
      <translation>Latency</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Number of runs that OpenVINO performs at the same time</source>
      <translation>Number of runs that OpenVINO performs at the same time</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Performance hint</source>
      <translation>Performance hint</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Streams</source>
      <translation>Streams</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="111"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="175"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="413"></location>
      <source>Throughput</source>
      <translation>Throughput</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Whether OpenVINO compiles the model, or loads what it compiled and exported earlier</source>
      <translation>Whether OpenVINO compiles the model, or loads what it compiled and exported earlier</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>Whether OpenVINO uses all cores for one run (latency), or divides them among several concurrent runs (throughput)</source>
      <translation>Whether OpenVINO uses all cores for one run (latency), or divides them among several concurrent runs (throughput)</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>bfloat16</source>
      <translation>bfloat16</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>float16</source>
      <translation>float16</translation>
    </message>
    <message>
      <location filename="inspector/backends/openvino/info.py" line="1"></location>
      <source>float32</source>
      <translation>float32</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>CPU time, mean at full CPU speed</source>
      <translation>CPU time, mean at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>CPU time, mean of all runs</source>
      <translation>CPU time, mean of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <location filename="inspector/ui/timeline/model/predictions.py" line="54"></location>
      <source>first run</source>
      <translation>first run</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, max of all runs</source>
      <translation>latency, max of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, mean at full CPU speed</source>
      <translation>latency, mean at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, mean of all runs</source>
      <translation>latency, mean of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, median at full CPU speed</source>
      <translation>latency, median at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, median of all runs</source>
      <translation>latency, median of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, min of all runs</source>
      <translation>latency, min of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, p90 at full CPU speed</source>
      <translation>latency, p90 at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, p90 of all runs</source>
      <translation>latency, p90 of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, p95 at full CPU speed</source>
      <translation>latency, p95 at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, p95 of all runs</source>
      <translation>latency, p95 of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, p99 at full CPU speed</source>
      <translation>latency, p99 at full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>latency, p99 of all runs</source>
      <translation>latency, p99 of all runs</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>load</source>
      <translation>load</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>model size</source>
      <translation>model size</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>peak model memory</source>
      <translation>peak model memory</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py" line="1"></location>
      <source>peak process memory</source>
      <translation>peak process memory</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>2-bit weights</source>
      <translation>2-bit weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>4-bit weights</source>
      <translation>4-bit weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>7bit: exact and fast on all CPUs; int8: for CPUs with VNNI and NPUs; uint8: exact but slower</source>
      <translation>7bit: exact and fast on all CPUs; int8: for CPUs with VNNI and NPUs; uint8: exact but slower</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>8-bit weights</source>
      <translation>8-bit weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Activation type</source>
      <translation>Activation type</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="95"></location>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="125"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="232"></location>
      <source>After</source>
      <translation>After</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Attribute</source>
      <translation>Attribute</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="712"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="766"></location>
      <source>Attributes</source>
      <translation>Attributes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Begins at</source>
      <translation>Begins at</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Bfloat16 weights</source>
      <translation>Bfloat16 weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Bits</source>
      <translation>Bits</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Bits per weight</source>
      <translation>Bits per weight</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Block size</source>
      <translation>Block size</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Calibration inputs</source>
      <translation>Calibration inputs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Change IR version</source>
      <translation>Change IR version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="144"></location>
      <source>Classes</source>
      <translation>Classes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Classes as output</source>
      <translation>Classes as output</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Cut after</source>
      <translation>Cut after</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Debug metadata</source>
      <translation>Debug metadata</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Delete layer</source>
      <translation>Delete layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/graph/coloring.py" line="161"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="313"></location>
      <location filename="inspector/ui/tabs/history/history_table.py" line="57"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="125"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="189"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="248"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="79"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="80"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="41"></location>
      <source>Device</source>
      <translation>Device</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Documentation</source>
      <translation>Documentation</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Edit metadata</source>
      <translation>Edit metadata</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Emulate float16</source>
      <translation>Emulate float16</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Ends at</source>
      <translation>Ends at</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Entries</source>
      <translation>Entries</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Extract part</source>
      <translation>Extract part</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Fix dynamic axes</source>
      <translation>Fix dynamic axes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Float16</source>
      <translation>Float16</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Float16 weights</source>
      <translation>Float16 weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Fold constants</source>
      <translation>Fold constants</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Image preprocessing in the model</source>
      <translation>Image preprocessing in the model</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/graph/scene.py" line="155"></location>
      <location filename="inspector/ui/graph/view.py" line="100"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="31"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="394"></location>
      <source>Input</source>
      <translation>Input</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Inputs and outputs stay float32</source>
      <translation>Inputs and outputs stay float32</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Insert layer</source>
      <translation>Insert layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Int8 (dynamic)</source>
      <translation>Int8 (dynamic)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Int8 (integer operators)</source>
      <translation>Int8 (integer operators)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Int8 (static)</source>
      <translation>Int8 (static)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Integer weights</source>
      <translation>Integer weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Interpolation</source>
      <translation>Interpolation</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="36"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="36"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="85"></location>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="28"></location>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="31"></location>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="25"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="52"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="112"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="37"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="157"></location>
      <source>Layer</source>
      <translation>Layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Layers that stay float32</source>
      <translation>Layers that stay float32</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Layers that stay in float</source>
      <translation>Layers that stay in float</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Make axes dynamic</source>
      <translation>Make axes dynamic</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Measure ranges</source>
      <translation>Measure ranges</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Merge equal weights</source>
      <translation>Merge equal weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>NF4 weights</source>
      <translation>NF4 weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/graph/view.py" line="95"></location>
      <location filename="inspector/ui/graph/view.py" line="99"></location>
      <location filename="inspector/ui/graph/view.py" line="114"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="285"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="35"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="238"></location>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Names</source>
      <translation>Names</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>ORT format</source>
      <translation>ORT format</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>One file</source>
      <translation>One file</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>One scale per channel</source>
      <translation>One scale per channel</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Only these layers</source>
      <translation>Only these layers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="37"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="37"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="86"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="283"></location>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="29"></location>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="32"></location>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="26"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="53"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="116"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="38"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="39"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="158"></location>
      <source>Operator</source>
      <translation>Operator</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Operators to quantize</source>
      <translation>Operators to quantize</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Optimization level</source>
      <translation>Optimization level</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/graph/scene.py" line="157"></location>
      <location filename="inspector/ui/graph/view.py" line="100"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="119"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="124"></location>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="28"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="120"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="395"></location>
      <source>Output</source>
      <translation>Output</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Palettized weights</source>
      <translation>Palettized weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Part</source>
      <translation>Part</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="64"></location>
      <source>Pattern</source>
      <translation>Pattern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Percentile</source>
      <translation>Percentile</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Remove weights from inputs</source>
      <translation>Remove weights from inputs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Rename axes</source>
      <translation>Rename axes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Rename inputs and outputs</source>
      <translation>Rename inputs and outputs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Rename layers</source>
      <translation>Rename layers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Repair names, order and shapes</source>
      <translation>Repair names, order and shapes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Replace layer</source>
      <translation>Replace layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="55"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="101"></location>
      <source>Resize</source>
      <translation>Resize</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Rows per table</source>
      <translation>Rows per table</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Save compiled model</source>
      <translation>Save compiled model</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Save optimized graph</source>
      <translation>Save optimized graph</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Set attribute</source>
      <translation>Set attribute</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Set main signature</source>
      <translation>Set main signature</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Shapes of intermediate tensors</source>
      <translation>Shapes of intermediate tensors</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Signature</source>
      <translation>Signature</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Simplify</source>
      <translation>Simplify</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Sizes</source>
      <translation>Sizes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Sparse weights</source>
      <translation>Sparse weights</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Split in two</source>
      <translation>Split in two</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Strip</source>
      <translation>Strip</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Sums computed in</source>
      <translation>Sums computed in</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Training information</source>
      <translation>Training information</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Update opset</source>
      <translation>Update opset</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="23"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="31"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="107"></location>
      <source>Value</source>
      <translation>Value</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Value ranges</source>
      <translation>Value ranges</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Version</source>
      <translation>Version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Weight type</source>
      <translation>Weight type</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Weights in a separate file</source>
      <translation>Weights in a separate file</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>What to quantize in a layer</source>
      <translation>What to quantize in a layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>Zeros (%)</source>
      <translation>Zeros (%)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>add a layer after a tensor or layer</source>
      <translation>add a layer after a tensor or layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>attributes in JSON: {"alpha":0.1}</source>
      <translation>attributes in JSON: {"alpha":0.1}</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>attributes in JSON: {"axis":1}</source>
      <translation>attributes in JSON: {"axis":1}</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>axis=size, ...</source>
      <translation>axis=size, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>bits per index, 1 to 8</source>
      <translation>bits per index, 1 to 8</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>bits per weight</source>
      <translation>bits per weight</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>change the operator of a layer; its inputs and outputs stay</source>
      <translation>change the operator of a layer; its inputs and outputs stay</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>compute a float16 model in float32 and round each result to float16, as GPUs do: for checks on a CPU, which skips the rounding</source>
      <translation>compute a float16 model in float32 and round each result to float16, as GPUs do: for checks on a CPU, which skips the rounding</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>compute constant parts of the graph, and remove duplicates and layers without effect</source>
      <translation>compute constant parts of the graph, and remove duplicates and layers without effect</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>compute layers whose inputs are constants or fixed shapes</source>
      <translation>compute layers whose inputs are constants or fixed shapes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>compute with ONNX Runtime's integer operators, with ranges measured on typical inputs</source>
      <translation>compute with ONNX Runtime's integer operators, with ranges measured on typical inputs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>convert the operators to a newer version of the operator set</source>
      <translation>convert the operators to a newer version of the operator set</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>data type in which layers add up</source>
      <translation>data type in which layers add up</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>data type of the values between layers</source>
      <translation>data type of the values between layers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>declare weights as constants, so that runtimes can fold what depends only on them</source>
      <translation>declare weights as constants, so that runtimes can fold what depends only on them</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>device to compile for (default: the first that can)</source>
      <translation>device to compile for (default: the first that can)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>doc strings</source>
      <translation>doc strings</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>found: resize as Preview does; none: images already have the model's size</source>
      <translation>found: resize as Preview does; none: images already have the model's size</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>found: the method that Preview uses; or always the same method</source>
      <translation>found: the method that Preview uses; or always the same method</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>further input tensors</source>
      <translation>further input tensors</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>give layers unique names and a valid order, return outer values through Identity, and correct shapes that contradict the inputs</source>
      <translation>give layers unique names and a valid order, return outer values through Identity, and correct shapes that contradict the inputs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>how the range of a tensor is determined. minmax: min and max over all inputs; average: mean of the min and max of each input; percentile: without the rarest values; entropy: the range that changes the distribution least. All but minmax cut off outliers</source>
      <translation>how the range of a tensor is determined. minmax: min and max over all inputs; average: mean of the min and max of each input; percentile: without the rarest values; entropy: the range that changes the distribution least. All but minmax cut off outliers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>input[axis]=name, ...</source>
      <translation>input[axis]=name, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>inputs that value ranges are measured on. typical: those that you give; random: made-up ones, to measure only speed, since the predictions are then mostly wrong</source>
      <translation>inputs that value ranges are measured on. typical: those that you give; random: made-up ones, to measure only speed, since the predictions are then mostly wrong</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>keep only one of several weights with equal values</source>
      <translation>keep only one of several weights with equal values</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>keep only the layers between the given tensors or layers</source>
      <translation>keep only the layers between the given tensors or layers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>keep only the layers up to the given tensors or layers</source>
      <translation>keep only the layers up to the given tensors or layers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>keep the part before or after a cut; outputs of the first are inputs of the second</source>
      <translation>keep the part before or after a cut; outputs of the first are inputs of the second</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>layer or tensor after which to cut</source>
      <translation>layer or tensor after which to cut</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>make another signature the one that runs, such as 'decode' instead of 'encode'</source>
      <translation>make another signature the one that runs, such as 'decode' instead of 'encode'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>make axes of fixed size, given as input[axis]=name, dynamic</source>
      <translation>make axes of fixed size, given as input[axis]=name, dynamic</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>make the model return the best classes with their scores, the best class, or probabilities</source>
      <translation>make the model return the best classes with their scores, the best class, or probabilities</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>metadata of layers and values, such as stack traces</source>
      <translation>metadata of layers and values, such as stack traces</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name of the attribute</source>
      <translation>name of the attribute</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name of the input (default: the first image)</source>
      <translation>name of the input (default: the first image)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name of the new layer</source>
      <translation>name of the new layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name of the output (default: the first)</source>
      <translation>name of the output (default: the first)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name of the signature</source>
      <translation>name of the signature</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name, output or number of the layer</source>
      <translation>name, output or number of the layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>name=value, ...</source>
      <translation>name=value, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>names of layers that stay float32, separated by '+'; auto finds those that need it, by running the model on the inputs in exact float16 arithmetic</source>
      <translation>names of layers that stay float32, separated by '+'; auto finds those that need it, by running the model on the inputs in exact float16 arithmetic</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>names of layers that stay in float, separated by '+'</source>
      <translation>names of layers that stay in float, separated by '+'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>names of the layers to quantize, among those with weights; all by default</source>
      <translation>names of the layers to quantize, among those with weights; all by default</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>names of the layers to quantize; all by default</source>
      <translation>names of the layers to quantize; all by default</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>new IR version</source>
      <translation>new IR version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>new operator, such as HardSwish</source>
      <translation>new operator, such as HardSwish</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>new opset version</source>
      <translation>new opset version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>number of classes for top-k</source>
      <translation>number of classes for top-k</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>old=new, ...</source>
      <translation>old=new, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>operator, such as Softmax</source>
      <translation>operator, such as Softmax</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>operators to quantize, such as Conv+MatMul; all by default</source>
      <translation>operators to quantize, such as Conv+MatMul; all by default</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>optimization level</source>
      <translation>optimization level</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>percentage of the values that become zero</source>
      <translation>percentage of the values that become zero</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>put weights that are in other files into the model</source>
      <translation>put weights that are in other files into the model</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>remove a layer; the layers after it use its first input</source>
      <translation>remove a layer; the layers after it use its first input</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>remove documentation, training information and debug metadata</source>
      <translation>remove documentation, training information and debug metadata</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>rename dynamic axes</source>
      <translation>rename dynamic axes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>rename inputs, outputs or intermediate tensors</source>
      <translation>rename inputs, outputs or intermediate tensors</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>rename layers</source>
      <translation>rename layers</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>rows that share a table</source>
      <translation>rows that share a table</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>save the graph as optimized by ONNX Runtime, so that it loads faster</source>
      <translation>save the graph as optimized by ONNX Runtime, so that it loads faster</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>save what an execution provider compiled (EP context), so that it loads faster there</source>
      <translation>save what an execution provider compiled (EP context), so that it loads faster there</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>set an attribute of a layer; an empty value removes it</source>
      <translation>set an attribute of a layer; an empty value removes it</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>set dynamic axes, given by name or as input[axis], to a fixed size</source>
      <translation>set dynamic axes, given by name or as input[axis], to a fixed size</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>set metadata entries; an empty value removes an entry</source>
      <translation>set metadata entries; an empty value removes an entry</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>set small weights to zero and store only the others: a smaller file, not faster</source>
      <translation>set small weights to zero and store only the others: a smaller file, not faster</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>shapes of intermediate tensors, which model viewers show</source>
      <translation>shapes of intermediate tensors, which model viewers show</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store the weights in a separate file, as models over 2 GB require</source>
      <translation>store the weights in a separate file, as models over 2 GB require</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights and compute in 8-bit integers, with ranges measured on typical inputs</source>
      <translation>store weights and compute in 8-bit integers, with ranges measured on typical inputs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights and compute in float16</source>
      <translation>store weights and compute in float16</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights as indices into tables of a few values: a smaller file, not faster</source>
      <translation>store weights as indices into tables of a few values: a smaller file, not faster</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights in 8-bit integers, and compute in float32</source>
      <translation>store weights in 8-bit integers, and compute in float32</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights in 8-bit integers, and quantize activations while the model runs</source>
      <translation>store weights in 8-bit integers, and quantize activations while the model runs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights in bfloat16, and compute in float32, for which CPUs have kernels</source>
      <translation>store weights in bfloat16, and compute in float32, for which CPUs have kernels</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights in float16, and compute in float32</source>
      <translation>store weights in float16, and compute in float32</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights of MatMul and Gemm in 2 bits, with a scale for each block</source>
      <translation>store weights of MatMul and Gemm in 2 bits, with a scale for each block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights of MatMul and Gemm in 4 bits, with a scale for each block</source>
      <translation>store weights of MatMul and Gemm in 4 bits, with a scale for each block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights of MatMul and Gemm in 8 bits, with a scale for each block</source>
      <translation>store weights of MatMul and Gemm in 8 bits, with a scale for each block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>store weights of MatMul as 4-bit indices of 16 normally distributed values</source>
      <translation>store weights of MatMul as 4-bit indices of 16 normally distributed values</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>take 8-bit RGB images (height, width, channels), and resize and normalize them in the model, as Preview does</source>
      <translation>take 8-bit RGB images (height, width, channels), and resize and normalize them in the model, as Preview does</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>tensor or layer</source>
      <translation>tensor or layer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>tensors or layers where the part begins, separated by '+'</source>
      <translation>tensors or layers where the part begins, separated by '+'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>tensors or layers where the part ends, separated by '+'</source>
      <translation>tensors or layers where the part ends, separated by '+'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>training information</source>
      <translation>training information</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>value in JSON, such as [1,1]</source>
      <translation>value in JSON, such as [1,1]</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>weights that share a scale</source>
      <translation>weights that share a scale</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>what the output becomes</source>
      <translation>what the output becomes</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>whether each output channel of a weight has its own scale</source>
      <translation>whether each output channel of a weight has its own scale</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>whether inputs and outputs stay float32</source>
      <translation>whether inputs and outputs stay float32</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>whether to measure the range of each result before it is rounded</source>
      <translation>whether to measure the range of each result before it is rounded</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>which of the two parts to keep</source>
      <translation>which of the two parts to keep</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>which parts of each layer to quantize, to find the cause of an error: all (weights and all values around them), own (weights and the outputs of the layer), or only one of the two</source>
      <translation>which parts of each layer to quantize, to find the cause of an error: all (weights and all values around them), own (weights and the outputs of the layer), or only one of the two</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>which values become zero: the smallest, or the two smallest in each group of four</source>
      <translation>which values become zero: the smallest, or the two smallest in each group of four</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>with method=percentile: percentage of the values inside the range</source>
      <translation>with method=percentile: percentage of the values inside the range</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>write the file format that minimal builds of ONNX Runtime load</source>
      <translation>write the file format that minimal builds of ONNX Runtime load</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py" line="1"></location>
      <source>write the model with another IR version, without changing the graph</source>
      <translation>write the model with another IR version, without changing the graph</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>CSV (combinations)</source>
      <translation>CSV (combinations)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>CSV (events)</source>
      <translation>CSV (events)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>CSV (layers)</source>
      <translation>CSV (layers)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>CSV (operator types)</source>
      <translation>CSV (operator types)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Chrome trace</source>
      <translation>Chrome trace</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/ui/documents/file_dialogs.py" line="132"></location>
      <source>Image (PNG)</source>
      <translation>Image (PNG)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Image (SVG)</source>
      <translation>Image (SVG)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Inspector report (JSON)</source>
      <translation>Inspector report (JSON)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Inspector sweep (JSON)</source>
      <translation>Inspector sweep (JSON)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>JSON</source>
      <translation>JSON</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Layer times for Model Explorer</source>
      <translation>Layer times for Model Explorer</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Layer times for Netron</source>
      <translation>Layer times for Netron</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Markdown</source>
      <translation>Markdown</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>NumPy arrays</source>
      <translation>NumPy arrays</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>PDF</source>
      <translation>PDF</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Plots (PNG)</source>
      <translation>Plots (PNG)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Plots (SVG)</source>
      <translation>Plots (SVG)</translation>
    </message>
    <message>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <location filename="inspector/export/registry.py" line="1"></location>
      <source>Web page</source>
      <translation>Web page</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="383"></location>
      <source>arena</source>
      <translation>arena</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="48"></location>
      <source>background load</source>
      <translation>background load</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>binding</source>
      <translation>binding</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="29"></location>
      <source>device</source>
      <translation>device</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>execution</source>
      <translation>execution</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="32"></location>
      <source>inter-op threads</source>
      <translation>inter-op threads</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>machine</source>
      <translation>machine</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="36"></location>
      <source>memory pattern</source>
      <translation>memory pattern</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>model</source>
      <translation>model</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>off</source>
      <translation>off</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>on</source>
      <translation>on</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="30"></location>
      <source>optimization</source>
      <translation>optimization</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>sequential</source>
      <translation>sequential</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <source>spinning</source>
      <translation>spinning</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/machines/places.py" line="159"></location>
      <source>this machine</source>
      <translation>this machine</translation>
    </message>
    <message>
      <location filename="inspector/export/tables/sweep_tables.py" line="1"></location>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="31"></location>
      <source>threads</source>
      <translation>threads</translation>
    </message>
    <message>
      <location filename="inspector/model/model.py" line="1"></location>
      <source>constants</source>
      <translation>constants</translation>
    </message>
    <message>
      <location filename="inspector/model/model.py" line="1"></location>
      <source>parameters</source>
      <translation>parameters</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Accepted, then failed</source>
      <translation>Accepted, then failed</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Constant-folded</source>
      <translation>Constant-folded</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Excluded by this configuration</source>
      <translation>Excluded by this configuration</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <location filename="inspector/ui/graph/coloring.py" line="423"></location>
      <source>Fused into another layer</source>
      <translation>Fused into another layer</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Not supported</source>
      <translation>Not supported</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Ran on this device</source>
      <translation>Ran on this device</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Supported</source>
      <translation>Supported</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Supported as several operators</source>
      <translation>Supported as several operators</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <source>Supported through a cast</source>
      <translation>Supported through a cast</translation>
    </message>
    <message>
      <location filename="inspector/report/support_marks.py" line="1"></location>
      <location filename="inspector/ui/graph/coloring.py" line="427"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="101"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="224"></location>
      <location filename="inspector/ui/tabs/machines/table.py" line="184"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="613"></location>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="32"></location>
      <source>Unknown</source>
      <translation>Unknown</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="37"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="17"></location>
      <source>Event</source>
      <translation>Event</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>Iteration</source>
      <translation>Iteration</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="237"></location>
      <source>Lane</source>
      <translation>Lane</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/graph/tab.py" line="84"></location>
      <location filename="inspector/ui/tabs/history/history_table.py" line="56"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="71"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="49"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="168"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="56"></location>
      <source>Model</source>
      <translation>Model</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="73"></location>
      <source>Thread</source>
      <translation>Thread</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="39"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="43"></location>
      <source>Track</source>
      <translation>Track</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>event</source>
      <translation>event</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>iteration</source>
      <translation>iteration</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>lane</source>
      <translation>lane</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>layer</source>
      <translation>layer</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>operator</source>
      <translation>operator</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>thread</source>
      <translation>thread</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py" line="1"></location>
      <source>track</source>
      <translation>track</translation>
    </message>
    <message>
      <location filename="inspector/trace/trace.py" line="1"></location>
      <source>Activity</source>
      <translation>Activity</translation>
    </message>
    <message>
      <location filename="inspector/trace/trace.py" line="1"></location>
      <source>Compute</source>
      <translation>Compute</translation>
    </message>
    <message>
      <location filename="inspector/trace/trace.py" line="1"></location>
      <source>Data</source>
      <translation>Data</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/application.py" line="147"></location>
      <source>It was moved to {aside}; Inspector is using the default settings.</source>
      <translation>It was moved to {aside}; Inspector is using the default settings.</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/application.py" line="150"></location>
      <source>The settings file was damaged</source>
      <translation>The settings file was damaged</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/internal_errors.py" line="47"></location>
      <source>Please report it, with what you did.</source>
      <translation>Please report it, with what you did.</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/internal_errors.py" line="49"></location>
      <source>Please report it and attach this file: {path}</source>
      <translation>Please report it and attach this file: {path}</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/internal_errors.py" line="50"></location>
      <source>this is a bug, not something you did ({error} in {place})</source>
      <translation>this is a bug, not something you did ({error} in {place})</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/internal_errors.py" line="54"></location>
      <location filename="inspector/ui/background.py" line="203"></location>
      <source>Internal error in Inspector</source>
      <translation>Internal error in Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/app/internal_errors.py" line="55"></location>
      <source>unknown place</source>
      <translation>unknown place</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py" line="204"></location>
      <source>this is a bug, not something you did</source>
      <translation>this is a bug, not something you did</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py" line="205"></location>
      <source>Please report it, with what you did and the terminal output.</source>
      <translation>Please report it, with what you did and the terminal output.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py" line="48"></location>
      <location filename="inspector/ui/tabs/preview/tab.py" line="302"></location>
      <source>No class names</source>
      <translation>No class names</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py" line="56"></location>
      <source>From a file…</source>
      <translation>From a file…</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py" line="69"></location>
      <source>Class names (*.txt *.json *.csv *.names);;All files (*)</source>
      <translation>Class names (*.txt *.json *.csv *.names);;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py" line="71"></location>
      <source>Class names</source>
      <translation>Class names</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/diff_document.py" line="99"></location>
      <source>{first} and {other}</source>
      <translation>{first} and {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/diff_document.py" line="194"></location>
      <location filename="inspector/ui/documents/improving.py" line="483"></location>
      <location filename="inspector/ui/documents/improving.py" line="500"></location>
      <location filename="inspector/ui/documents/improving_inputs.py" line="161"></location>
      <location filename="inspector/ui/documents/recipe_editing.py" line="208"></location>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="118"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="317"></location>
      <source>Stopped</source>
      <translation>Stopped</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="142"></location>
      <source>Opening</source>
      <translation>Opening</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="143"></location>
      <location filename="inspector/ui/tabs/activations/tab.py" line="40"></location>
      <source>Running the model</source>
      <translation>Running the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="144"></location>
      <location filename="inspector/ui/tabs/machines/table.py" line="86"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="106"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="92"></location>
      <source>Measuring</source>
      <translation>Measuring</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="145"></location>
      <source>Measuring device peak</source>
      <translation>Measuring device peak</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="146"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="140"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="153"></location>
      <source>Running sweep</source>
      <translation>Running sweep</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="147"></location>
      <location filename="inspector/ui/tabs/activations/tab.py" line="41"></location>
      <source>Running layer by layer</source>
      <translation>Running layer by layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="315"></location>
      <location filename="inspector/ui/tabs/performance/tab.py" line="121"></location>
      <source>Report</source>
      <translation>Report</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="334"></location>
      <source>{hint}, or choose {device} as the device</source>
      <translation>{hint}, or choose {device} as the device</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="355"></location>
      <source>Only ONNX and TensorFlow Lite models can be changed</source>
      <translation>Only ONNX and TensorFlow Lite models can be changed</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="356"></location>
      <source>Convert the original model to one of these formats and open that.</source>
      <translation>Convert the original model to one of these formats and open that.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="588"></location>
      <location filename="inspector/ui/documents/document.py" line="855"></location>
      <source>Stopped before the next step</source>
      <translation>Stopped before the next step</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="779"></location>
      <source>Could not run {name}</source>
      <translation>Could not run {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="782"></location>
      <source>the file was deleted or renamed</source>
      <translation>the file was deleted or renamed</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="783"></location>
      <source>Restore it, or open it from its new location.</source>
      <translation>Restore it, or open it from its new location.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="787"></location>
      <source>the file has changed on disk since it was opened</source>
      <translation>the file has changed on disk since it was opened</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py" line="788"></location>
      <source>Reload it with F5, then run it again.</source>
      <translation>Reload it with F5, then run it again.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/exported_report.py" line="39"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="165"></location>
      <source>an image</source>
      <translation>an image</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/exported_report.py" line="42"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="104"></location>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py" line="176"></location>
      <source>Class {index}</source>
      <translation>Class {index}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="77"></location>
      <source>Choose a library with the custom operators of {name}</source>
      <translation>Choose a library with the custom operators of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="79"></location>
      <source>Libraries (*.so *.so.* *.dll *.dylib *.pyd);;All files (*)</source>
      <translation>Libraries (*.so *.so.* *.dll *.dylib *.pyd);;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="111"></location>
      <location filename="inspector/ui/documents/improving.py" line="350"></location>
      <location filename="inspector/ui/documents/recipe_editing.py" line="118"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="189"></location>
      <source>Saved {name}</source>
      <translation>Saved {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="124"></location>
      <source>Images (*.png *.svg)</source>
      <translation>Images (*.png *.svg)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="130"></location>
      <source>Chrome trace of the visible range</source>
      <translation>Chrome trace of the visible range</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="152"></location>
      <location filename="inspector/ui/window/commands.py" line="202"></location>
      <source>Export report</source>
      <translation>Export report</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="160"></location>
      <source>Save results</source>
      <translation>Save results</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="181"></location>
      <location filename="inspector/ui/window/commands.py" line="204"></location>
      <source>Export sweep</source>
      <translation>Export sweep</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="191"></location>
      <location filename="inspector/ui/tabs/comparison/view.py" line="90"></location>
      <source>Export comparison</source>
      <translation>Export comparison</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="205"></location>
      <source>Export differences</source>
      <translation>Export differences</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="213"></location>
      <source>Save image</source>
      <translation>Save image</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py" line="259"></location>
      <source>Open models, reports and traces</source>
      <translation>Open models, reports and traces</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="47"></location>
      <source>Running the recipe</source>
      <translation>Running the recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="47"></location>
      <source>Saving the model</source>
      <translation>Saving the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="47"></location>
      <source>Searching</source>
      <translation>Searching</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="48"></location>
      <source>Ranking layers</source>
      <translation>Ranking layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="50"></location>
      <source>converting</source>
      <translation>converting</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="51"></location>
      <source>running calibration inputs</source>
      <translation>running calibration inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="52"></location>
      <source>checking that the new model runs</source>
      <translation>checking that the new model runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="53"></location>
      <source>running test inputs</source>
      <translation>running test inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="54"></location>
      <source>queued behind another measurement</source>
      <translation>queued behind another measurement</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="55"></location>
      <source>comparing layers with the original</source>
      <translation>comparing layers with the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="56"></location>
      <source>quantizing one layer at a time</source>
      <translation>quantizing one layer at a time</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="57"></location>
      <source>keeping the worst layers in float</source>
      <translation>keeping the worst layers in float</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="58"></location>
      <source>measuring interleaved with the original</source>
      <translation>measuring interleaved with the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="227"></location>
      <location filename="inspector/ui/documents/improving.py" line="469"></location>
      <location filename="inspector/ui/documents/improving.py" line="485"></location>
      <source>Could not run the recipe</source>
      <translation>Could not run the recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="263"></location>
      <source>a step needs typical inputs to determine value ranges</source>
      <translation>a step needs typical inputs to determine value ranges</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="264"></location>
      <source>Choose a calibration folder under Test data.</source>
      <translation>Choose a calibration folder under Test data.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="274"></location>
      <source>Could not rank the layers</source>
      <translation>Could not rank the layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="338"></location>
      <location filename="inspector/ui/documents/improving.py" line="359"></location>
      <source>Could not save {name}</source>
      <translation>Could not save {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="339"></location>
      <source>this is the original model</source>
      <translation>this is the original model</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="340"></location>
      <source>Choose another name.</source>
      <translation>Choose another name.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="379"></location>
      <source>the resulting model does not run: {problem}</source>
      <translation>the resulting model does not run: {problem}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="470"></location>
      <source>some files are in both the calibration and the test folder</source>
      <translation>some files are in both the calibration and the test folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="472"></location>
      <source>Use different files; otherwise, the accuracy would look better than it is.</source>
      <translation>Use different files; otherwise, the accuracy would look better than it is.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="530"></location>
      <source>candidate {number} of up to {total}: {name}</source>
      <translation>candidate {number} of up to {total}: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="532"></location>
      <source>candidate {number} of {total}: {name}</source>
      <translation>candidate {number} of {total}: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py" line="534"></location>
      <source>done</source>
      <translation>done</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving_inputs.py" line="114"></location>
      <source>the input in Preview</source>
      <translation>the input in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recipe_editing.py" line="196"></location>
      <source>it is in the recipe already</source>
      <translation>it is in the recipe already</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="40"></location>
      <source>a quotation mark is not closed</source>
      <translation>a quotation mark is not closed</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="43"></location>
      <source>For example: python app.py</source>
      <translation>For example: python app.py</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="43"></location>
      <source>there is no program to run</source>
      <translation>there is no program to run</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="48"></location>
      <source>there is no folder {named}</source>
      <translation>there is no folder {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="49"></location>
      <source>Choose another folder.</source>
      <translation>Choose another folder.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="58"></location>
      <source>{named} is not executable</source>
      <translation>{named} is not executable</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="59"></location>
      <source>For a script: python {named}</source>
      <translation>For a script: python {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="62"></location>
      <source>Check the name, or enter the full path of the program.</source>
      <translation>Check the name, or enter the full path of the program.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="63"></location>
      <source>there is no program {named}</source>
      <translation>there is no program {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="66"></location>
      <source>Check the command line.</source>
      <translation>Check the command line.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="67"></location>
      <location filename="inspector/ui/documents/recorded_program.py" line="94"></location>
      <location filename="inspector/ui/documents/recorded_program.py" line="181"></location>
      <source>Could not record</source>
      <translation>Could not record</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="181"></location>
      <source>Try again.</source>
      <translation>Try again.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="188"></location>
      <source>the program printed nothing</source>
      <translation>the program printed nothing</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="190"></location>
      <source>Nothing was recorded</source>
      <translation>Nothing was recorded</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py" line="192"></location>
      <source>Check that the program runs in a terminal.</source>
      <translation>Check that the program runs in a terminal.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/sweeping.py" line="208"></location>
      <source>comparing the models' outputs</source>
      <translation>comparing the models' outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/sweeping.py" line="232"></location>
      <source>measurement {done:,} of {done_2:,}: {text}</source>
      <translation>measurement {done:,} of {done_2:,}: {text}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/documents/trace_document.py" line="56"></location>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="63"></location>
      <location filename="inspector/ui/timeline/widget/card.py" line="345"></location>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="233"></location>
      <source>event</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln event</numerusform>
        <numerusform>%Ln events</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/documents/trace_document.py" line="57"></location>
      <source>track</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln track</numerusform>
        <numerusform>%Ln tracks</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/weight_reading.py" line="422"></location>
      <source>Reading stopped</source>
      <translation>Reading stopped</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="39"></location>
      <location filename="inspector/ui/graph/coloring.py" line="50"></location>
      <source>Linear algebra</source>
      <translation>Linear algebra</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="40"></location>
      <location filename="inspector/ui/graph/coloring.py" line="56"></location>
      <source>Activation</source>
      <translation>Activation</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="41"></location>
      <location filename="inspector/ui/graph/coloring.py" line="60"></location>
      <source>Normalization, pooling</source>
      <translation>Normalization, pooling</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="42"></location>
      <location filename="inspector/ui/graph/coloring.py" line="67"></location>
      <source>Element-wise</source>
      <translation>Element-wise</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="43"></location>
      <location filename="inspector/ui/graph/coloring.py" line="72"></location>
      <source>Data movement</source>
      <translation>Data movement</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="44"></location>
      <location filename="inspector/ui/graph/coloring.py" line="109"></location>
      <source>Other</source>
      <translation>Other</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="106"></location>
      <source>8 bits or fewer</source>
      <translation>8 bits or fewer</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="107"></location>
      <source>Integers of 16 bits or more</source>
      <translation>Integers of 16 bits or more</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="143"></location>
      <source>Negligible time</source>
      <translation>Negligible time</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="144"></location>
      <source>Under 10%</source>
      <translation>Under 10%</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="145"></location>
      <source>Under 30%</source>
      <translation>Under 30%</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="146"></location>
      <source>Under 60%</source>
      <translation>Under 60%</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="147"></location>
      <source>Slowest</source>
      <translation>Slowest</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="150"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="200"></location>
      <source>Identical</source>
      <translation>Identical</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="151"></location>
      <source>Within tolerance</source>
      <translation>Within tolerance</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="152"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="154"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="366"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="230"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="258"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="95"></location>
      <source>NaN</source>
      <translation>NaN</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="153"></location>
      <source>Exceeds tolerance</source>
      <translation>Exceeds tolerance</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="154"></location>
      <source>First difference</source>
      <translation>First difference</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="162"></location>
      <source>Operator family</source>
      <translation>Operator family</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="163"></location>
      <location filename="inspector/ui/graph/executed.py" line="295"></location>
      <location filename="inspector/ui/graph/view.py" line="150"></location>
      <location filename="inspector/ui/graph/view.py" line="153"></location>
      <location filename="inspector/ui/graph/view.py" line="158"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="108"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="38"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="392"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="138"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="110"></location>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="98"></location>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="101"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="153"></location>
      <source>Time</source>
      <translation>Time</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="164"></location>
      <location filename="inspector/ui/graph/view.py" line="95"></location>
      <location filename="inspector/ui/graph/view.py" line="116"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="171"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="31"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="36"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="36"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="684"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="685"></location>
      <source>Type</source>
      <translation>Type</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="165"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="135"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="231"></location>
      <source>Difference</source>
      <translation>Difference</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="166"></location>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="29"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="392"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="65"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="59"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="76"></location>
      <source>MACs</source>
      <translation>MACs</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="167"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="113"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="78"></location>
      <source>Memory traffic</source>
      <translation>Memory traffic</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="168"></location>
      <source>Weight size</source>
      <translation>Weight size</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="169"></location>
      <source>Output size</source>
      <translation>Output size</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="170"></location>
      <source>Activations in memory (estimated)</source>
      <translation>Activations in memory (estimated)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="171"></location>
      <location filename="inspector/ui/graph/coloring.py" line="297"></location>
      <source>Arena in use (measured)</source>
      <translation>Arena in use (measured)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="172"></location>
      <source>Weight sparsity</source>
      <translation>Weight sparsity</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="173"></location>
      <source>Relative error</source>
      <translation>Relative error</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="174"></location>
      <location filename="inspector/ui/graph/tab.py" line="84"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="327"></location>
      <source>As executed</source>
      <translation>As executed</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="294"></location>
      <source>Activations in memory (estimated from shapes)</source>
      <translation>Activations in memory (estimated from shapes)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="422"></location>
      <source>Runs as a separate node</source>
      <translation>Runs as a separate node</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="424"></location>
      <source>Merged or moved</source>
      <translation>Merged or moved</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="425"></location>
      <source>Computed during loading</source>
      <translation>Computed during loading</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py" line="426"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="52"></location>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="33"></location>
      <source>Removed</source>
      <translation>Removed</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="39"></location>
      <source>One layer</source>
      <translation>One layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="40"></location>
      <source>Several layers fused</source>
      <translation>Several layers fused</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="41"></location>
      <source>Inserted: layout conversion</source>
      <translation>Inserted: layout conversion</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="42"></location>
      <source>Inserted: cast</source>
      <translation>Inserted: cast</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="43"></location>
      <source>Inserted: copy</source>
      <translation>Inserted: copy</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="44"></location>
      <source>Other inserted layers</source>
      <translation>Other inserted layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="47"></location>
      <source>layout conversion</source>
      <translation>layout conversion</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="48"></location>
      <source>cast</source>
      <translation>cast</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="49"></location>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="250"></location>
      <source>copy</source>
      <translation>copy</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="50"></location>
      <source>inserted</source>
      <translation>inserted</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="102"></location>
      <source>Graph as executed</source>
      <translation>Graph as executed</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="154"></location>
      <source>{title}, inserted by {runtime} between {a} and {b}</source>
      <translation>{title}, inserted by {runtime} between {a} and {b}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="156"></location>
      <source>{title}, inserted by {runtime} at {a}</source>
      <translation>{title}, inserted by {runtime} at {a}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="158"></location>
      <source>{title}, inserted by {runtime}</source>
      <translation>{title}, inserted by {runtime}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="163"></location>
      <source>{shown} and {count} more</source>
      <translation>{shown} and {count} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="228"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="333"></location>
      <source>Optimizing the graph…</source>
      <translation>Optimizing the graph…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="241"></location>
      <source>{runtime} on {devices}: {summary}</source>
      <translation>{runtime} on {devices}: {summary}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py" line="267"></location>
      <source>Select a node to see which layers it executes.</source>
      <translation>Select a node to see which layers it executes.</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/graph/executed.py" line="346"></location>
      <location filename="inspector/ui/graph/scene.py" line="185"></location>
      <location filename="inspector/ui/graph/scene.py" line="208"></location>
      <location filename="inspector/ui/graph/tab.py" line="585"></location>
      <location filename="inspector/ui/graph/view.py" line="97"></location>
      <location filename="inspector/ui/tabs/activations/tab.py" line="231"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="402"></location>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="92"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="365"></location>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="142"></location>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="140"></location>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="210"></location>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="153"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="234"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="252"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="296"></location>
      <location filename="inspector/ui/tabs/overview/shares.py" line="57"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="267"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="307"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="96"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="432"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="347"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="362"></location>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="115"></location>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="245"></location>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="262"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="379"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="272"></location>
      <location filename="inspector/ui/window/top_bar.py" line="488"></location>
      <source>layer</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln layer</numerusform>
        <numerusform>%Ln layers</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py" line="40"></location>
      <source>Colors</source>
      <translation>Colors</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py" line="138"></location>
      <source>{known:,} of {total:,} layers</source>
      <translation>{known:,} of {total:,} layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py" line="142"></location>
      <source>total {amount} · {layers}</source>
      <translation>total {amount} · {layers}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/graph/legend.py" line="144"></location>
      <source>name</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln name</numerusform>
        <numerusform>%Ln names</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py" line="145"></location>
      <source>{total} · {missed} not matched to a layer</source>
      <translation>{total} · {missed} not matched to a layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/minimap.py" line="33"></location>
      <source>Graph overview</source>
      <translation>Graph overview</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/minimap.py" line="34"></location>
      <source>Drag to move the view</source>
      <translation>Drag to move the view</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/paint.py" line="477"></location>
      <source>{name}{times} and {more} more</source>
      <translation>{name}{times} and {more} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/paint_boxes.py" line="79"></location>
      <source>weight {note}</source>
      <translation>weight {note}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/scene.py" line="187"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="122"></location>
      <source>Function</source>
      <translation>Function</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/scene.py" line="222"></location>
      <source>max {written}</source>
      <translation>max {written}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="26"></location>
      <source>Find: conv 3x3, A -&gt; B</source>
      <translation>Find: conv 3x3, A -&gt; B</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="29"></location>
      <source>Search the graph</source>
      <translation>Search the graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="65"></location>
      <source>Previous match (Shift+Return)</source>
      <translation>Previous match (Shift+Return)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="66"></location>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="49"></location>
      <source>Next match (Enter)</source>
      <translation>Next match (Enter)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="72"></location>
      <source>No matches. {hint}.</source>
      <translation>No matches. {hint}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="116"></location>
      <source>{place:,} of </source>
      <translation>{place:,} of </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py" line="118"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="416"></location>
      <location filename="inspector/ui/tabs/overview/about.py" line="110"></location>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="177"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="87"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="95"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="96"></location>
      <location filename="inspector/ui/widgets/fields.py" line="99"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="138"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="143"></location>
      <location filename="inspector/units.py" line="1"></location>
      <source>none</source>
      <translation>none</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="84"></location>
      <location filename="inspector/ui/tabs/comparison/tables.py" line="244"></location>
      <source>Both</source>
      <translation>Both</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="104"></location>
      <source>Graph to show</source>
      <translation>Graph to show</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="107"></location>
      <source>Model: the graph in the file. As executed: the graph after optimization, </source>
      <translation>Model: the graph in the file. As executed: the graph after optimization, </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="108"></location>
      <source>with fused layers and inserted casts, copies and layout conversions.</source>
      <translation>with fused layers and inserted casts, copies and layout conversions.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="112"></location>
      <location filename="inspector/ui/graph/tab.py" line="136"></location>
      <source>Color by</source>
      <translation>Color by</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="116"></location>
      <source>Layer values from a file…</source>
      <translation>Layer values from a file…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="117"></location>
      <source>Difference between two sets of layer values…</source>
      <translation>Difference between two sets of layer values…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="119"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="305"></location>
      <source>Zoom out (S)</source>
      <translation>Zoom out (S)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="120"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="306"></location>
      <source>Zoom in (W)</source>
      <translation>Zoom in (W)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="121"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="308"></location>
      <source>Zoom to fit (F)</source>
      <translation>Zoom to fit (F)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="122"></location>
      <source>Collapse all scopes</source>
      <translation>Collapse all scopes</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="123"></location>
      <source>Expand all scopes</source>
      <translation>Expand all scopes</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="124"></location>
      <location filename="inspector/ui/graph/tab.py" line="926"></location>
      <source>Save visible part as image</source>
      <translation>Save visible part as image</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="126"></location>
      <source>Save as PNG…</source>
      <translation>Save as PNG…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="126"></location>
      <source>Save as SVG…</source>
      <translation>Save as SVG…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="132"></location>
      <source>View options</source>
      <translation>View options</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="154"></location>
      <source>Draw from left to right instead of top to bottom</source>
      <translation>Draw from left to right instead of top to bottom</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="154"></location>
      <source>Left to right</source>
      <translation>Left to right</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="155"></location>
      <source>Add a line with the attributes to each box</source>
      <translation>Add a line with the attributes to each box</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="155"></location>
      <source>Show attributes in boxes</source>
      <translation>Show attributes in boxes</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="157"></location>
      <source>Hide Identity layers</source>
      <translation>Hide Identity layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="158"></location>
      <source>Hide Identity and Dropout layers, and connect their neighbors</source>
      <translation>Hide Identity and Dropout layers, and connect their neighbors</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="160"></location>
      <source>Hide layers that only compute shapes</source>
      <translation>Hide layers that only compute shapes</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="160"></location>
      <source>Hide shape computations</source>
      <translation>Hide shape computations</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="168"></location>
      <source>Bookmarks</source>
      <translation>Bookmarks</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="283"></location>
      <location filename="inspector/ui/tabs/trace/trace_export.py" line="81"></location>
      <source>PNG</source>
      <translation>PNG</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="300"></location>
      <source>Difference between two sets of layer values</source>
      <translation>Difference between two sets of layer values</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="303"></location>
      <location filename="inspector/ui/graph/tab.py" line="320"></location>
      <source>Numbers</source>
      <translation>Numbers</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="304"></location>
      <location filename="inspector/ui/graph/tab.py" line="320"></location>
      <source>Minus</source>
      <translation>Minus</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="306"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="92"></location>
      <location filename="inspector/ui/tabs/preview/result_pane.py" line="53"></location>
      <location filename="inspector/ui/window/commands.py" line="295"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="200"></location>
      <source>Compare</source>
      <translation>Compare</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="309"></location>
      <location filename="inspector/ui/tabs/activations/tab.py" line="184"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="65"></location>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="80"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="79"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="162"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="120"></location>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="33"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="114"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="103"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="276"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="417"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="263"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="333"></location>
      <location filename="inspector/ui/window/commands.py" line="289"></location>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="54"></location>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="46"></location>
      <location filename="inspector/ui/window/messages.py" line="72"></location>
      <location filename="inspector/ui/window/messages.py" line="96"></location>
      <location filename="inspector/ui/window/status.py" line="34"></location>
      <location filename="inspector/ui/window/top_bar.py" line="127"></location>
      <source>Cancel</source>
      <translation>Cancel</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="315"></location>
      <source>Boxes show the first set minus the second for layers that have a value in both.</source>
      <translation>Boxes show the first set minus the second for layers that have a value in both.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="318"></location>
      <source>Two sets are required: measure twice, or load layer values from a file.</source>
      <translation>Two sets are required: measure twice, or load layer values from a file.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="581"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="256"></location>
      <source>Loading the model…</source>
      <translation>Loading the model…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="584"></location>
      <source>Laying out {layer_count}…</source>
      <translation>Laying out {layer_count}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="669"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="403"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="375"></location>
      <location filename="inspector/ui/widgets/table_card.py" line="56"></location>
      <location filename="inspector/ui/window/sidebar.py" line="254"></location>
      <source>Copy name</source>
      <translation>Copy name</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="674"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="67"></location>
      <source>Show in Performance</source>
      <translation>Show in Performance</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="675"></location>
      <source>The model has not been measured</source>
      <translation>The model has not been measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="676"></location>
      <source>Show its outputs</source>
      <translation>Show its outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="678"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="68"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="407"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="64"></location>
      <source>Show weights</source>
      <translation>Show weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="679"></location>
      <source>It reads no weights</source>
      <translation>It reads no weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="685"></location>
      <source>Find all {operator}</source>
      <translation>Find all {operator}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="694"></location>
      <source>Add this view</source>
      <translation>Add this view</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="695"></location>
      <source>Copy command that opens this view</source>
      <translation>Copy command that opens this view</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="708"></location>
      <source>Remove all</source>
      <translation>Remove all</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="786"></location>
      <source>Open numbers to show on layers</source>
      <translation>Open numbers to show on layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="788"></location>
      <source>CSV or JSON ({names})</source>
      <translation>CSV or JSON ({names})</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="824"></location>
      <source>Time, {report}</source>
      <translation>Time, {report}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py" line="894"></location>
      <source>Copy between devices</source>
      <translation>Copy between devices</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="98"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="379"></location>
      <source>Expand</source>
      <translation>Expand</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="98"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="396"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="363"></location>
      <location filename="inspector/ui/tabs/comparison/view.py" line="51"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="54"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="132"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="249"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="293"></location>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="70"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="33"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="60"></location>
      <source>Layers</source>
      <translation>Layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="98"></location>
      <source>double-click or press Return</source>
      <translation>double-click or press Return</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="105"></location>
      <location filename="inspector/ui/graph/view.py" line="127"></location>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="123"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="146"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="276"></location>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="173"></location>
      <source>{count} more</source>
      <translation>{count} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="119"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="404"></location>
      <source>Produced by</source>
      <translation>Produced by</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="120"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="61"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="41"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="404"></location>
      <source>Used by</source>
      <translation>Used by</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="149"></location>
      <source> on {device}</source>
      <translation> on {device}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="153"></location>
      <source>not timed, {handed_over}</source>
      <translation>not timed, {handed_over}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="155"></location>
      <source> into layer {into}</source>
      <translation> into layer {into}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="159"></location>
      <source>not timed separately: {value}{into}</source>
      <translation>not timed separately: {value}{into}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="240"></location>
      <location filename="inspector/ui/tabs/overview/about.py" line="95"></location>
      <location filename="inspector/ui/window/tabs.py" line="59"></location>
      <source>Graph</source>
      <translation>Graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="593"></location>
      <source>nothing selected</source>
      <translation>nothing selected</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="597"></location>
      <source>tensor {tensor}</source>
      <translation>tensor {tensor}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/graph/view.py" line="598"></location>
      <source>box</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln box</numerusform>
        <numerusform>%Ln boxs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py" line="615"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="170"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="148"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="296"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="397"></location>
      <source>Tensor</source>
      <translation>Tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view_link.py" line="75"></location>
      <source>Could not show the view</source>
      <translation>Could not show the view</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="25"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="33"></location>
      <source>No optimization</source>
      <translation>No optimization</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="26"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="34"></location>
      <source>Basic optimizations</source>
      <translation>Basic optimizations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="27"></location>
      <source>Extended optimizations</source>
      <translation>Extended optimizations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="28"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="35"></location>
      <source>All optimizations</source>
      <translation>All optimizations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="48"></location>
      <source>Graph optimization of this run</source>
      <translation>Graph optimization of this run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="52"></location>
      <source>Graph optimization level of this run; layers are not fused, so that every output can be read</source>
      <translation>Graph optimization level of this run; layers are not fused, so that every output can be read</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="57"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="115"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="182"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="100"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="109"></location>
      <source>Compare with</source>
      <translation>Compare with</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="60"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="116"></location>
      <source>Tolerance</source>
      <translation>Tolerance</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="64"></location>
      <source>Highest ratio of max error to max |value| that still counts as equal; the default depends on the data type</source>
      <translation>Highest ratio of max error to max |value| that still counts as equal; the default depends on the data type</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="69"></location>
      <location filename="inspector/ui/tabs/activations/tab.py" line="221"></location>
      <source>Run layers</source>
      <translation>Run layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="165"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="49"></location>
      <source>ONNX reference evaluator</source>
      <translation>ONNX reference evaluator</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="172"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="48"></location>
      <source>Another model…</source>
      <translation>Another model…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="184"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="180"></location>
      <source>Models ({file_patterns})</source>
      <translation>Models ({file_patterns})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="206"></location>
      <source>Inputs from Preview: {named}</source>
      <translation>Inputs from Preview: {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="208"></location>
      <location filename="inspector/ui/tabs/activations/tab.py" line="150"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="401"></location>
      <source> and {count} more</source>
      <translation> and {count} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="212"></location>
      <source>'{text}' is not a valid tolerance. Enter a number of at least 0, such as 1e-3.</source>
      <translation>'{text}' is not a valid tolerance. Enter a number of at least 0, such as 1e-3.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py" line="215"></location>
      <source>Using default inputs. Choose other inputs in Preview.</source>
      <translation>Using default inputs. Choose other inputs in Preview.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="45"></location>
      <source>Selected layer</source>
      <translation>Selected layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="54"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="272"></location>
      <source>Measure layer</source>
      <translation>Measure layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="81"></location>
      <source>Select a layer to see its outputs.</source>
      <translation>Select a layer to see its outputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="93"></location>
      <source> in {scope}</source>
      <translation> in {scope}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="139"></location>
      <source>Exceeds the tolerance.</source>
      <translation>Exceeds the tolerance.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="139"></location>
      <source>Within tolerance.</source>
      <translation>Within tolerance.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="141"></location>
      <source>Identical.</source>
      <translation>Identical.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="148"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="230"></location>
      <source>Max error</source>
      <translation>Max error</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="149"></location>
      <source>At index</source>
      <translation>At index</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="150"></location>
      <source>Mean error</source>
      <translation>Mean error</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="151"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="43"></location>
      <source>Rel error</source>
      <translation>Rel error</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="152"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="234"></location>
      <source>Cosine</source>
      <translation>Cosine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="153"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="233"></location>
      <source>PSNR</source>
      <translation>PSNR</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="154"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="44"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="312"></location>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="30"></location>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="33"></location>
      <source>SQNR</source>
      <translation>SQNR</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="155"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="249"></location>
      <source>Mismatches</source>
      <translation>Mismatches</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="159"></location>
      <source>Compared with '{counterpart}'.</source>
      <translation>Compared with '{counterpart}'.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="165"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="375"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="204"></location>
      <source>Statistics</source>
      <translation>Statistics</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="167"></location>
      <source>, stored in {kept_in}</source>
      <translation>, stored in {kept_in}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="173"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="38"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="37"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="37"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="685"></location>
      <source>Shape</source>
      <translation>Shape</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="180"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="214"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="225"></location>
      <source>This tensor has no elements.</source>
      <translation>This tensor has no elements.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="187"></location>
      <source>The inputs contain NaN.</source>
      <translation>The inputs contain NaN.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="189"></location>
      <source>The inputs contain no NaNs; this layer introduces them.</source>
      <translation>The inputs contain no NaNs; this layer introduces them.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="228"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="253"></location>
      <source>Slice view</source>
      <translation>Slice view</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="231"></location>
      <source>Reference</source>
      <translation>Reference</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="231"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="261"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="283"></location>
      <source>This run</source>
      <translation>This run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="233"></location>
      <source>Slice view shows</source>
      <translation>Slice view shows</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="274"></location>
      <source>Run this layer alone, with the inputs it gets here.</source>
      <translation>Run this layer alone, with the inputs it gets here.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="306"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="209"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="221"></location>
      <source>Median</source>
      <translation>Median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="309"></location>
      <source>95% CI</source>
      <translation>95% CI</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="309"></location>
      <location filename="inspector/ui/tabs/machines/table.py" line="383"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="288"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="370"></location>
      <location filename="inspector/ui/translate.py" line="67"></location>
      <source>{low} to {high}</source>
      <translation>{low} to {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="311"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="620"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="31"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="193"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="251"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="152"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="158"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="226"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="114"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="183"></location>
      <location filename="inspector/ui/widgets/small_charts.py" line="87"></location>
      <source>Runs</source>
      <translation>Runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py" line="311"></location>
      <source>{count:,}; times include the call overhead</source>
      <translation>{count:,}; times include the call overhead</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="39"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="97"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="408"></location>
      <location filename="inspector/ui/tabs/weights/tab.py" line="31"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="39"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="38"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="57"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="691"></location>
      <source>Size</source>
      <translation>Size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="40"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="260"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="44"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="89"></location>
      <source>Min</source>
      <translation>Min</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="41"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="261"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="47"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="90"></location>
      <source>Max</source>
      <translation>Max</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="42"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="143"></location>
      <source>NaN, Inf</source>
      <translation>NaN, Inf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="70"></location>
      <source>Total size of the layer's outputs</source>
      <translation>Total size of the layer's outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="71"></location>
      <source>Smallest finite value of the selected output</source>
      <translation>Smallest finite value of the selected output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="72"></location>
      <source>Largest finite value of the selected output</source>
      <translation>Largest finite value of the selected output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="73"></location>
      <source>Number of NaN and infinite elements in all outputs</source>
      <translation>Number of NaN and infinite elements in all outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="74"></location>
      <source>Max error ÷ max |value| of the reference</source>
      <translation>Max error ÷ max |value| of the reference</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="76"></location>
      <source>Signal-to-quantization-noise ratio: power of the reference ÷ power of the difference; ∞ means identical</source>
      <translation>Signal-to-quantization-noise ratio: power of the reference ÷ power of the difference; ∞ means identical</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="146"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="316"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="142"></location>
      <source>differs</source>
      <translation>differs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="154"></location>
      <source>Inf</source>
      <translation>Inf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="274"></location>
      <source>first difference</source>
      <translation>first difference</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="275"></location>
      <source>first NaN</source>
      <translation>first NaN</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="287"></location>
      <source>{text}, exceeds the tolerance</source>
      <translation>{text}, exceeds the tolerance</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="378"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="358"></location>
      <source>Filter by name or operator</source>
      <translation>Filter by name or operator</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="389"></location>
      <source>Layers and their outputs</source>
      <translation>Layers and their outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="391"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="357"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="49"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="168"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="295"></location>
      <source>Filter layers</source>
      <translation>Filter layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="394"></location>
      <source>Previous layer ([)</source>
      <translation>Previous layer ([)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="395"></location>
      <source>Next layer (])</source>
      <translation>Next layer (])</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="398"></location>
      <source>Show</source>
      <translation>Show</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="401"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="66"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="406"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="183"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="339"></location>
      <source>Show in graph</source>
      <translation>Show in graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="419"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="356"></location>
      <source>{shown:,} of {every:,}</source>
      <translation>{shown:,} of {every:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py" line="423"></location>
      <source>{number} · {over:,} over tolerance</source>
      <translation>{number} · {over:,} over tolerance</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="57"></location>
      <source>Activation memory</source>
      <translation>Activation memory</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="115"></location>
      <source>Tensors at the memory peak, {name}</source>
      <translation>Tensors at the memory peak, {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="117"></location>
      <source>Tensors in memory during {name}</source>
      <translation>Tensors in memory during {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="155"></location>
      <source>an input</source>
      <translation>an input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="156"></location>
      <source>the end</source>
      <translation>the end</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="157"></location>
      <source>{name}: from {first} to {last}</source>
      <translation>{name}: from {first} to {last}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="182"></location>
      <source>Computed from shapes: {size} at the peak, while {name} runs.</source>
      <translation>Computed from shapes: {size} at the peak, while {name} runs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="188"></location>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="157"></location>
      <source>The size of {values} is unknown.</source>
      <translation>The size of {values} is unknown.</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="189"></location>
      <location filename="inspector/ui/tabs/overview/shares.py" line="97"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="117"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="194"></location>
      <source>tensor</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln tensor</numerusform>
        <numerusform>%Ln tensors</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="195"></location>
      <source>Measured at the end of each layer in the first run: up to {size} of the arena was in use.</source>
      <translation>Measured at the end of each layer in the first run: up to {size} of the arena was in use.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="201"></location>
      <source>{size} reserved from the system.</source>
      <translation>{size} reserved from the system.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="206"></location>
      <source>Measure to see the memory use of the runtime's arena.</source>
      <translation>Measure to see the memory use of the runtime's arena.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="230"></location>
      <source>Activation memory by layer</source>
      <translation>Activation memory by layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="243"></location>
      <source>Peak {size} at {name}</source>
      <translation>Peak {size} at {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="268"></location>
      <source>Computed</source>
      <translation>Computed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="270"></location>
      <location filename="inspector/ui/tabs/machines/table.py" line="84"></location>
      <source>Measured</source>
      <translation>Measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="354"></location>
      <source>first layer</source>
      <translation>first layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="355"></location>
      <source>last layer</source>
      <translation>last layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="372"></location>
      <source>Peak {size}</source>
      <translation>Peak {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py" line="382"></location>
      <source>activations</source>
      <translation>activations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="34"></location>
      <source>Run the model once and record the output of every layer:</source>
      <translation>Run the model once and record the output of every layer:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="35"></location>
      <source>find where NaN appears first, and where results differ from</source>
      <translation>find where NaN appears first, and where results differ from</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="36"></location>
      <source>another optimization level, device or model, or the ONNX reference.</source>
      <translation>another optimization level, device or model, or the ONNX reference.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="39"></location>
      <source>Loading the model</source>
      <translation>Loading the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="42"></location>
      <source>Computing the inputs of the layer</source>
      <translation>Computing the inputs of the layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="43"></location>
      <source>Running the layer alone</source>
      <translation>Running the layer alone</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="96"></location>
      <location filename="inspector/ui/window/tabs.py" line="79"></location>
      <source>Activations</source>
      <translation>Activations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="157"></location>
      <source>Input: {given}{more}.</source>
      <translation>Input: {given}{more}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="190"></location>
      <source>Starting the engine</source>
      <translation>Starting the engine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="213"></location>
      <source>Inspect the output of each layer</source>
      <translation>Inspect the output of each layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py" line="230"></location>
      <source>Inspect the outputs of {layer_count}</source>
      <translation>Inspect the outputs of {layer_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="39"></location>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="56"></location>
      <source>Change</source>
      <translation>Change</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="40"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="93"></location>
      <location filename="inspector/ui/tabs/comparison/tables.py" line="192"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="411"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="64"></location>
      <source>Verdict</source>
      <translation>Verdict</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="41"></location>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="94"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="394"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="403"></location>
      <source>Note</source>
      <translation>Note</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="48"></location>
      <source>Slower</source>
      <translation>Slower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="49"></location>
      <source>Faster</source>
      <translation>Faster</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="50"></location>
      <source>Different device</source>
      <translation>Different device</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="51"></location>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="32"></location>
      <source>Added</source>
      <translation>Added</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="156"></location>
      <source>added in {letter}</source>
      <translation>added in {letter}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="158"></location>
      <source>removed in {letter}</source>
      <translation>removed in {letter}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="165"></location>
      <source>time counted in {leaf}</source>
      <translation>time counted in {leaf}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="169"></location>
      <source>time includes {layer_count}</source>
      <translation>time includes {layer_count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/comparison/layers.py" line="170"></location>
      <source>other layer</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln other layer</numerusform>
        <numerusform>%Ln other layers</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="197"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="160"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="371"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="421"></location>
      <source>and {count} more</source>
      <translation>and {count} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="199"></location>
      <source>Time includes these fused layers</source>
      <translation>Time includes these fused layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="200"></location>
      <source>Matched by {how}</source>
      <translation>Matched by {how}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="207"></location>
      <source>Time per run in {name}; fused layers share one time</source>
      <translation>Time per run in {name}; fused layers share one time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="211"></location>
      <source>Change from {names} to {name}; ▲ slower, ▼ faster, ≈ no change, ? inconclusive, by a rank test with a 5% false discovery rate</source>
      <translation>Change from {names} to {name}; ▲ slower, ▼ faster, ≈ no change, ? inconclusive, by a rank test with a 5% false discovery rate</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="352"></location>
      <source>Layers shown</source>
      <translation>Layers shown</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="353"></location>
      <source>Layers side by side</source>
      <translation>Layers side by side</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/layers.py" line="401"></location>
      <source>{rowcount:,} of {layer_count}</source>
      <translation>{rowcount:,} of {layer_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/tables.py" line="116"></location>
      <location filename="inspector/ui/widgets/table.py" line="119"></location>
      <location filename="inspector/ui/widgets/table.py" line="397"></location>
      <source>Column titles</source>
      <translation>Column titles</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/tables.py" line="202"></location>
      <location filename="inspector/ui/tabs/comparison/view.py" line="241"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="142"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="245"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="236"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="81"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="204"></location>
      <source>not measured</source>
      <translation>not measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="51"></location>
      <source>Data types</source>
      <translation>Data types</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="51"></location>
      <location filename="inspector/ui/tabs/comparison/view.py" line="171"></location>
      <source>Metrics</source>
      <translation>Metrics</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="51"></location>
      <location filename="inspector/ui/tabs/history/history_table.py" line="59"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="454"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="515"></location>
      <source>Settings</source>
      <translation>Settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="72"></location>
      <source>Compare reports — Inspector</source>
      <translation>Compare reports — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="77"></location>
      <location filename="inspector/ui/tabs/comparison/view.py" line="93"></location>
      <source>Baseline</source>
      <translation>Baseline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="81"></location>
      <source>Comparison page</source>
      <translation>Comparison page</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="94"></location>
      <location filename="inspector/ui/tabs/comparison/view.py" line="141"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="149"></location>
      <source>Comparing…</source>
      <translation>Comparing…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="174"></location>
      <source>▲ slower · ▼ faster · ≈ no change · ? inconclusive, by 95% confidence intervals. No symbol: not tested or too few runs.</source>
      <translation>▲ slower · ▼ faster · ≈ no change · ? inconclusive, by 95% confidence intervals. No symbol: not tested or too few runs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="244"></location>
      <source>baseline</source>
      <translation>baseline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="259"></location>
      <source>And {warning_count}</source>
      <translation>And {warning_count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/comparison/view.py" line="260"></location>
      <source>more warning</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln more warning</numerusform>
        <numerusform>%Ln more warnings</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="288"></location>
      <source>Different settings</source>
      <translation>Different settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="293"></location>
      <source>Same settings</source>
      <translation>Same settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="302"></location>
      <source>Compute types of report {letters} and report {letters_2}</source>
      <translation>Compute types of report {letters} and report {letters_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="309"></location>
      <source>Layers in both reports, by compute type: rows are {letters}, columns {letters_2}. A fused layer is counted with the type of its kernel.</source>
      <translation>Layers in both reports, by compute type: rows are {letters}, columns {letters_2}. A fused layer is counted with the type of its kernel.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="314"></location>
      <source>No layer has a compute type in both reports. Measure both models again to record their compute types.</source>
      <translation>No layer has a compute type in both reports. Measure both models again to record their compute types.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/comparison/view.py" line="333"></location>
      <source>Comparison</source>
      <translation>Comparison</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/comparison/view.py" line="348"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="538"></location>
      <location filename="inspector/ui/window/sidebar.py" line="319"></location>
      <location filename="inspector/ui/window/status.py" line="94"></location>
      <source>thread</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln thread</numerusform>
        <numerusform>%Ln threads</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="36"></location>
      <source>matched by name</source>
      <translation>matched by name</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="37"></location>
      <source>matched by output name</source>
      <translation>matched by output name</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="38"></location>
      <source>matched by weight names</source>
      <translation>matched by weight names</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="39"></location>
      <source>matched by structure</source>
      <translation>matched by structure</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="40"></location>
      <source>matched by order</source>
      <translation>matched by order</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/diff/changes.py" line="50"></location>
      <source>group</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln group</numerusform>
        <numerusform>%Ln groups</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="58"></location>
      <source>Find: name, operator, type or attribute</source>
      <translation>Find: name, operator, type or attribute</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="59"></location>
      <source>Find changes</source>
      <translation>Find changes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="79"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="82"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="326"></location>
      <location filename="inspector/ui/tabs/diff/view.py" line="411"></location>
      <source>Changes</source>
      <translation>Changes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="244"></location>
      <source>No layer selected</source>
      <translation>No layer selected</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="288"></location>
      <source>Computed by</source>
      <translation>Computed by</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="291"></location>
      <location filename="inspector/ui/tabs/diff/changes.py" line="309"></location>
      <source>Max abs difference</source>
      <translation>Max abs difference</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="293"></location>
      <source>come from different layers than in A</source>
      <translation>come from different layers than in A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py" line="308"></location>
      <source>different values</source>
      <translation>different values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="61"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="201"></location>
      <source>Measure both</source>
      <translation>Measure both</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="63"></location>
      <source>Measure the latency of both models and compare their outputs</source>
      <translation>Measure the latency of both models and compare their outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="66"></location>
      <source>Accuracy on a folder…</source>
      <translation>Accuracy on a folder…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="68"></location>
      <source>Run both models on a folder of labeled images in Preview</source>
      <translation>Run both models on a folder of labeled images in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="98"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="64"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="58"></location>
      <source>Parameters</source>
      <translation>Parameters</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="99"></location>
      <source>Weight precision</source>
      <translation>Weight precision</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="100"></location>
      <source>Latency (median)</source>
      <translation>Latency (median)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="105"></location>
      <source>{accuracy}, {folder}</source>
      <translation>{accuracy}, {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="106"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="419"></location>
      <source>one input</source>
      <translation>one input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="113"></location>
      <source>Same class, {folder}</source>
      <translation>Same class, {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="113"></location>
      <source>Top-1 accuracy, {folder}</source>
      <translation>Top-1 accuracy, {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="127"></location>
      <source>Open both models to measure their latency and compare their outputs.</source>
      <translation>Open both models to measure their latency and compare their outputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="142"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="267"></location>
      <source>not compared</source>
      <translation>not compared</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="167"></location>
      <source>Latency, measured alternately by Improve on {device}: {verdict}.</source>
      <translation>Latency, measured alternately by Improve on {device}: {verdict}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="171"></location>
      <source>The medians alone differ by {change}.</source>
      <translation>The medians alone differ by {change}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="175"></location>
      <source>{name}: {change}, in {folder}.</source>
      <translation>{name}: {change}, in {folder}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="186"></location>
      <source>A and B were measured with different settings: {names}.</source>
      <translation>A and B were measured with different settings: {names}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="193"></location>
      <source>{letter} is noisy: {reasons}</source>
      <translation>{letter} is noisy: {reasons}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="202"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="101"></location>
      <source>Compare outputs</source>
      <translation>Compare outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="202"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="543"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="144"></location>
      <source>Measure again</source>
      <translation>Measure again</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="211"></location>
      <source>A · {name}</source>
      <translation>A · {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="211"></location>
      <source>B · {name}</source>
      <translation>B · {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="213"></location>
      <source>B compared with A</source>
      <translation>B compared with A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="237"></location>
      <source>changed</source>
      <translation>changed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="237"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="350"></location>
      <source>the same</source>
      <translation>the same</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="252"></location>
      <source>Outputs for the test inputs</source>
      <translation>Outputs for the test inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="254"></location>
      <source>Outputs for the same input</source>
      <translation>Outputs for the same input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="257"></location>
      <source>Outputs for the input in Preview</source>
      <translation>Outputs for the input in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="259"></location>
      <source>Outputs for a random input</source>
      <translation>Outputs for a random input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="294"></location>
      <source>Compared on {date}; the files have not changed since.</source>
      <translation>Compared on {date}; the files have not changed since.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="311"></location>
      <source>B is {known}.</source>
      <translation>B is {known}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="319"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="126"></location>
      <source>no weights</source>
      <translation>no weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="324"></location>
      <source>{share} {name}, the rest {other}</source>
      <translation>{share} {name}, the rest {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="326"></location>
      <source>{share} {name}, the rest {other} and other types</source>
      <translation>{share} {name}, the rest {other} and other types</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="340"></location>
      <source>Latency: {verdict}.</source>
      <translation>Latency: {verdict}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="356"></location>
      <source>as large as A</source>
      <translation>as large as A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="358"></location>
      <source>{share} larger than A</source>
      <translation>{share} larger than A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="358"></location>
      <source>{share} smaller than A</source>
      <translation>{share} smaller than A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="366"></location>
      <source>as fast as A ({verdict})</source>
      <translation>as fast as A ({verdict})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="367"></location>
      <source>not clearly faster or slower</source>
      <translation>not clearly faster or slower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="372"></location>
      <source>with identical outputs on this input</source>
      <translation>with identical outputs on this input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="377"></location>
      <source>with the same top class on this input</source>
      <translation>with the same top class on this input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="379"></location>
      <source>with a different top class on this input</source>
      <translation>with a different top class on this input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="381"></location>
      <source>with different outputs on this input</source>
      <translation>with different outputs on this input</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/diff/glance.py" line="396"></location>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="151"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="167"></location>
      <source>input</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln input</numerusform>
        <numerusform>%Ln inputs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="399"></location>
      <source>as accurate on {count}</source>
      <translation>as accurate on {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="401"></location>
      <source>not clearly more or less accurate on {count}</source>
      <translation>not clearly more or less accurate on {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="403"></location>
      <source>more accurate on {count}</source>
      <translation>more accurate on {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="405"></location>
      <source>less accurate on {count}</source>
      <translation>less accurate on {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="419"></location>
      <source>{first}, and {more} more</source>
      <translation>{first}, and {more} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="430"></location>
      <source>max error {error}</source>
      <translation>max error {error}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="442"></location>
      <source>{change} points</source>
      <translation>{change} points</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/diff/glance.py" line="451"></location>
      <location filename="inspector/ui/tabs/diff/glance.py" line="463"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="450"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="138"></location>
      <location filename="inspector/ui/window/session.py" line="628"></location>
      <source>file</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln file</numerusform>
        <numerusform>%Ln files</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="453"></location>
      <source>as accurate on {file_count}</source>
      <translation>as accurate on {file_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="455"></location>
      <source>{points} points more accurate on {file_count}</source>
      <translation>{points} points more accurate on {file_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="457"></location>
      <source>{points} points less accurate on {file_count}</source>
      <translation>{points} points less accurate on {file_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py" line="462"></location>
      <source>with the same class for {share} of {file_count}</source>
      <translation>with the same class for {share} of {file_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="34"></location>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="143"></location>
      <source>Changed</source>
      <translation>Changed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="35"></location>
      <source>Moved</source>
      <translation>Moved</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="36"></location>
      <source>Same</source>
      <translation>Same</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="83"></location>
      <source>Graph of model {letter}</source>
      <translation>Graph of model {letter}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="93"></location>
      <source>Compare another model as {letter}</source>
      <translation>Compare another model as {letter}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="284"></location>
      <source>Line between the selected layers</source>
      <translation>Line between the selected layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py" line="328"></location>
      <source>folded</source>
      <translation>folded</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="33"></location>
      <source>execution mode</source>
      <translation>execution mode</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="34"></location>
      <source>thread spinning</source>
      <translation>thread spinning</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="35"></location>
      <source>memory arena</source>
      <translation>memory arena</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="37"></location>
      <source>sizes of dynamic axes</source>
      <translation>sizes of dynamic axes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="38"></location>
      <source>load from</source>
      <translation>load from</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="40"></location>
      <source>input conversion</source>
      <translation>input conversion</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="41"></location>
      <source>execution provider options</source>
      <translation>execution provider options</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="42"></location>
      <source>layers forced to the CPU</source>
      <translation>layers forced to the CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="44"></location>
      <source>inference precision</source>
      <translation>inference precision</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="45"></location>
      <source>performance hint</source>
      <translation>performance hint</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="46"></location>
      <source>streams</source>
      <translation>streams</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="47"></location>
      <source>custom operators</source>
      <translation>custom operators</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="140"></location>
      <source>Measuring…</source>
      <translation>Measuring…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="153"></location>
      <source>Measuring {name}…</source>
      <translation>Measuring {name}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="157"></location>
      <source>Comparing the outputs…</source>
      <translation>Comparing the outputs…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="207"></location>
      <source>Could not compare the outputs</source>
      <translation>Could not compare the outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="209"></location>
      <source>the models have different numbers of inputs, or inputs of different shapes or types</source>
      <translation>the models have different numbers of inputs, or inputs of different shapes or types</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py" line="212"></location>
      <source>Compare them in Preview, which converts an image for each model.</source>
      <translation>Compare them in Preview, which converts an image for each model.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="78"></location>
      <source>Swap A and B</source>
      <translation>Swap A and B</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="80"></location>
      <source>Export…</source>
      <translation>Export…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="165"></location>
      <source>Comparing layers and weights…</source>
      <translation>Comparing layers and weights…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="166"></location>
      <source>A {first} · B {other}</source>
      <translation>A {first} · B {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="282"></location>
      <source>No other model is open</source>
      <translation>No other model is open</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="301"></location>
      <source>Pan and zoom together</source>
      <translation>Pan and zoom together</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="366"></location>
      <source>Show these layers in the list and color them in the graphs</source>
      <translation>Show these layers in the list and color them in the graphs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="393"></location>
      <source>{count} found</source>
      <translation>{count} found</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="427"></location>
      <source>Layers {change}</source>
      <translation>Layers {change}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py" line="430"></location>
      <source>Opset {change}</source>
      <translation>Opset {change}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="55"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="156"></location>
      <source>Date</source>
      <translation>Date</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="62"></location>
      <source>Settings that differ from the defaults</source>
      <translation>Settings that differ from the defaults</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="65"></location>
      <source>Machine</source>
      <translation>Machine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="68"></location>
      <source>Processor of the machine that ran the measurement</source>
      <translation>Processor of the machine that ran the measurement</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="70"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="47"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="156"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="63"></location>
      <source>Latency p50</source>
      <translation>Latency p50</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="71"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="48"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="158"></location>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="99"></location>
      <source>Peak process memory</source>
      <translation>Peak process memory</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="72"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="49"></location>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="159"></location>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="96"></location>
      <location filename="inspector/ui/tabs/overview/about.py" line="87"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="64"></location>
      <source>File size</source>
      <translation>File size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="73"></location>
      <source>Tags and note</source>
      <translation>Tags and note</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="127"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="105"></location>
      <source>Cannot be read</source>
      <translation>Cannot be read</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/history_table.py" line="141"></location>
      <source>95% CI: {interval}</source>
      <translation>95% CI: {interval}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="73"></location>
      <source>Trend of the selected model</source>
      <translation>Trend of the selected model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="122"></location>
      <source>{title}, {reports}: from {first} to {last}</source>
      <translation>{title}, {reports}: from {first} to {last}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="124"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="235"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="314"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="321"></location>
      <location filename="inspector/ui/window/main_window.py" line="623"></location>
      <location filename="inspector/ui/window/messages.py" line="64"></location>
      <location filename="inspector/ui/window/session.py" line="630"></location>
      <source>report</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln report</numerusform>
        <numerusform>%Ln reports</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="134"></location>
      <source>{change} since {date}</source>
      <translation>{change} since {date}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="136"></location>
      <source>{change} from {date} to {end}</source>
      <translation>{change} from {date} to {end}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="161"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="391"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="401"></location>
      <source>Tags</source>
      <translation>Tags</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/trend_chart.py" line="224"></location>
      <source>Select a report to see its trend</source>
      <translation>Select a report to see its trend</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="61"></location>
      <source>History — Inspector</source>
      <translation>History — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="69"></location>
      <location filename="inspector/ui/widgets/comparison_links.py" line="33"></location>
      <location filename="inspector/ui/window/sidebar.py" line="112"></location>
      <source>Reports</source>
      <translation>Reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="71"></location>
      <location filename="inspector/ui/tabs/history/view.py" line="198"></location>
      <source>All models</source>
      <translation>All models</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="74"></location>
      <source>Filter by any value, such as #baseline</source>
      <translation>Filter by any value, such as #baseline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="74"></location>
      <source>Filter reports</source>
      <translation>Filter reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="79"></location>
      <source>Value to plot as the trend</source>
      <translation>Value to plot as the trend</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="88"></location>
      <source>Add folder…</source>
      <translation>Add folder…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="89"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="276"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="202"></location>
      <source>Export CSV…</source>
      <translation>Export CSV…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="90"></location>
      <source>Tags and note…</source>
      <translation>Tags and note…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="91"></location>
      <source>Remove…</source>
      <translation>Remove…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="93"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="84"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="199"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="254"></location>
      <source>Open</source>
      <translation>Open</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="94"></location>
      <source>Select two or more reports to compare them</source>
      <translation>Select two or more reports to compare them</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="97"></location>
      <source>List the reports in a folder, such as CI job artifacts. The files stay where they are.</source>
      <translation>List the reports in a folder, such as CI job artifacts. The files stay where they are.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="160"></location>
      <source>Reading reports…</source>
      <translation>Reading reports…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="215"></location>
      <source>Reading reports: {done:,} of {of:,}</source>
      <translation>Reading reports: {done:,} of {of:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="237"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="259"></location>
      <source>{shown} of {text}</source>
      <translation>{shown} of {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="239"></location>
      <source>{text}, {count} selected</source>
      <translation>{text}, {count} selected</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="241"></location>
      <source>No reports yet. Measure a model, or add a folder with reports.</source>
      <translation>No reports yet. Measure a model, or add a folder with reports.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="265"></location>
      <source>Trend</source>
      <translation>Trend</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="282"></location>
      <source>Too few reports to find changes</source>
      <translation>Too few reports to find changes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="283"></location>
      <source>No change found</source>
      <translation>No change found</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/history/view.py" line="283"></location>
      <source>change</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln change</numerusform>
        <numerusform>%Ln changes</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="313"></location>
      <source>{reports} will be deleted from the library. This cannot be undone.</source>
      <translation>{reports} will be deleted from the library. This cannot be undone.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="320"></location>
      <source>{reports} in added folders will no longer be listed; the files stay.</source>
      <translation>{reports} in added folders will no longer be listed; the files stay.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="325"></location>
      <source>Remove reports — Inspector</source>
      <translation>Remove reports — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="329"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="78"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="142"></location>
      <source>Remove</source>
      <translation>Remove</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="360"></location>
      <source>Add a folder of reports</source>
      <translation>Add a folder of reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="373"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="282"></location>
      <source>CSV (*.csv)</source>
      <translation>CSV (*.csv)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="373"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="282"></location>
      <source>Export table</source>
      <translation>Export table</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="384"></location>
      <source>Tags and note — Inspector</source>
      <translation>Tags and note — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/history/view.py" line="392"></location>
      <source>Separate tags with commas</source>
      <translation>Separate tags with commas</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="40"></location>
      <source>none; separate several with +</source>
      <translation>none; separate several with +</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="41"></location>
      <source>NAME=VALUE; separate several with commas</source>
      <translation>NAME=VALUE; separate several with commas</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="78"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="203"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="237"></location>
      <source>Add</source>
      <translation>Add</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="78"></location>
      <source>Apply</source>
      <translation>Apply</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="92"></location>
      <source>Uses {library}.</source>
      <translation>Uses {library}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py" line="176"></location>
      <source>Checking the effect…</source>
      <translation>Checking the effect…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="37"></location>
      <source>The {change} comes from back-to-back runs of the two models, which cancels out changes in CPU speed. The medians alone differ by {medians}.</source>
      <translation>The {change} comes from back-to-back runs of the two models, which cancels out changes in CPU speed. The medians alone differ by {medians}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="41"></location>
      <source>Signal-to-quantization-noise ratio: how much larger the original's outputs are than the error of the new ones. 20 dB is an error of 10%, 40 dB one of 1%.</source>
      <translation>Signal-to-quantization-noise ratio: how much larger the original's outputs are than the error of the new ones. 20 dB is an error of 10%, 40 dB one of 1%.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="45"></location>
      <source>The first load in a new process, measured once per model. Preview shows a shorter time because its process has already loaded the runtime and read the file.</source>
      <translation>The first load in a new process, measured once per model. Preview shows a shorter time because its process has already loaded the runtime and read the file.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="53"></location>
      <source>Metric</source>
      <translation>Metric</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="54"></location>
      <source>Original</source>
      <translation>Original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="55"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="407"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="104"></location>
      <source>Recipe</source>
      <translation>Recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="92"></location>
      <source>Load in a new process</source>
      <translation>Load in a new process</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="100"></location>
      <source>{count} of {every}</source>
      <translation>{count} of {every}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="104"></location>
      <source>Runs at optimization levels</source>
      <translation>Runs at optimization levels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="104"></location>
      <source>Runs with and without XNNPACK</source>
      <translation>Runs with and without XNNPACK</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="115"></location>
      <source>Latency, median</source>
      <translation>Latency, median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="118"></location>
      <source>inconclusive</source>
      <translation>inconclusive</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="128"></location>
      <source>{change} paired</source>
      <translation>{change} paired</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="131"></location>
      <source>Latency, p95 of all runs</source>
      <translation>Latency, p95 of all runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="136"></location>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="69"></location>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="79"></location>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="140"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="119"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="193"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="28"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="71"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="79"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="684"></location>
      <source>unknown</source>
      <translation>unknown</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="137"></location>
      <source>fewer layers</source>
      <translation>fewer layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="137"></location>
      <source>more layers</source>
      <translation>more layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="139"></location>
      <source>Layers that are known to run there, from support tables; nothing was run.</source>
      <translation>Layers that are known to run there, from support tables; nothing was run.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="141"></location>
      <source>{layers} could not be checked.</source>
      <translation>{layers} could not be checked.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="153"></location>
      <source>{points} points</source>
      <translation>{points} points</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="266"></location>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="270"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="205"></location>
      <source>Before and after</source>
      <translation>Before and after</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py" line="285"></location>
      <source>{device} · previous run</source>
      <translation>{device} · previous run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="31"></location>
      <source>SQNR drop</source>
      <translation>SQNR drop</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="69"></location>
      <source>Signal-to-quantization-noise ratio of the layer’s outputs, compared with the original model</source>
      <translation>Signal-to-quantization-noise ratio of the layer’s outputs, compared with the original model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="73"></location>
      <source>SQNR of the layer’s inputs minus that of its outputs</source>
      <translation>SQNR of the layer’s inputs minus that of its outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="119"></location>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="123"></location>
      <source>Layers with the largest errors</source>
      <translation>Layers with the largest errors</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py" line="139"></location>
      <source>{worst} of {every} compared with the original</source>
      <translation>{worst} of {every} compared with the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py" line="92"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="265"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="191"></location>
      <source>checking…</source>
      <translation>checking…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py" line="200"></location>
      <source>Recipe steps</source>
      <translation>Recipe steps</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py" line="243"></location>
      <source>No steps yet. Add an action below.</source>
      <translation>No steps yet. Add an action below.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py" line="254"></location>
      <source>Actions</source>
      <translation>Actions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="58"></location>
      <source>Accuracy vs. latency</source>
      <translation>Accuracy vs. latency</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="58"></location>
      <source>Accuracy vs. size</source>
      <translation>Accuracy vs. size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="178"></location>
      <source>Accuracy {value}</source>
      <translation>Accuracy {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="180"></location>
      <source>Size is {ratio} of the original</source>
      <translation>Size is {ratio} of the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="182"></location>
      <source>Latency is {ratio} of the original</source>
      <translation>Latency is {ratio} of the original</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="190"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="630"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="244"></location>
      <source>candidate</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln candidate</numerusform>
        <numerusform>%Ln candidates</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="205"></location>
      <source>Candidates appear here with their accuracy and latency.</source>
      <translation>Candidates appear here with their accuracy and latency.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="238"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="262"></location>
      <source>limit</source>
      <translation>limit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="250"></location>
      <source>File size, % of original</source>
      <translation>File size, % of original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="252"></location>
      <source>Latency, p50, % of original</source>
      <translation>Latency, p50, % of original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="328"></location>
      <source>this recipe</source>
      <translation>this recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="331"></location>
      <source>{name} (recommended)</source>
      <translation>{name} (recommended)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="332"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="53"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="54"></location>
      <source>original</source>
      <translation>original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="386"></location>
      <source>measuring more…</source>
      <translation>measuring more…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="410"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="393"></location>
      <source>Accuracy</source>
      <translation>Accuracy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="464"></location>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="479"></location>
      <source>Recommended</source>
      <translation>Recommended</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="485"></location>
      <source>Change in median latency, measured interleaved with the original</source>
      <translation>Change in median latency, measured interleaved with the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="516"></location>
      <source>Cannot be used</source>
      <translation>Cannot be used</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="519"></location>
      <source>Within limit</source>
      <translation>Within limit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="520"></location>
      <source>Inconclusive</source>
      <translation>Inconclusive</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="520"></location>
      <source>Over limit</source>
      <translation>Over limit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="562"></location>
      <source>Candidates</source>
      <translation>Candidates</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="600"></location>
      <source>Plot</source>
      <translation>Plot</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="600"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="281"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="45"></location>
      <source>Table</source>
      <translation>Table</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py" line="601"></location>
      <source>View of the candidates</source>
      <translation>View of the candidates</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="48"></location>
      <source>Lowest latency</source>
      <translation>Lowest latency</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="48"></location>
      <source>Smallest file</source>
      <translation>Smallest file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="50"></location>
      <source>At most 0.1 points lower</source>
      <translation>At most 0.1 points lower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="51"></location>
      <source>At most 0.5 points lower</source>
      <translation>At most 0.5 points lower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="52"></location>
      <source>At most 1 point lower</source>
      <translation>At most 1 point lower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="53"></location>
      <source>At most 2 points lower</source>
      <translation>At most 2 points lower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="54"></location>
      <source>At most 5 points lower</source>
      <translation>At most 5 points lower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="55"></location>
      <source>no limit</source>
      <translation>no limit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="57"></location>
      <source>Recipes (*.json);;All files (*)</source>
      <translation>Recipes (*.json);;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="70"></location>
      <source>Undo the last change to the recipe</source>
      <translation>Undo the last change to the recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="71"></location>
      <source>Redo</source>
      <translation>Redo</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="73"></location>
      <source>Load or save the recipe, or save the results</source>
      <translation>Load or save the recipe, or save the results</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="76"></location>
      <source>Step options</source>
      <translation>Step options</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="78"></location>
      <source>Move the step up</source>
      <translation>Move the step up</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="79"></location>
      <source>Move the step down</source>
      <translation>Move the step down</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="81"></location>
      <source>Remove this step</source>
      <translation>Remove this step</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="85"></location>
      <source>Rank the layers by the output error they cause</source>
      <translation>Rank the layers by the output error they cause</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="116"></location>
      <source>Add an action</source>
      <translation>Add an action</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="126"></location>
      <source>Load recipe…</source>
      <translation>Load recipe…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="127"></location>
      <source>Save recipe…</source>
      <translation>Save recipe…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="129"></location>
      <source>Copy as command</source>
      <translation>Copy as command</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="130"></location>
      <source>Copy as Python code</source>
      <translation>Copy as Python code</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="132"></location>
      <source>Save results…</source>
      <translation>Save results…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="135"></location>
      <source>Remove all steps</source>
      <translation>Remove all steps</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="205"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="277"></location>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="262"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="122"></location>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="175"></location>
      <source>step</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln step</numerusform>
        <numerusform>%Ln steps</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="210"></location>
      <source>The recipe has no steps</source>
      <translation>The recipe has no steps</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="210"></location>
      <source>Wait until the run has finished</source>
      <translation>Wait until the run has finished</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="213"></location>
      <location filename="inspector/ui/window/top_bar.py" line="302"></location>
      <source>No recipe has been run yet</source>
      <translation>No recipe has been run yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="261"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="245"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="191"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="114"></location>
      <source>not checked</source>
      <translation>not checked</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="265"></location>
      <source>checked before it runs</source>
      <translation>checked before it runs</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="275"></location>
      <source>more action</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln more action</numerusform>
        <numerusform>%Ln more actions</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="276"></location>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="226"></location>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="49"></location>
      <source>Show fewer</source>
      <translation>Show fewer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="296"></location>
      <source>Load recipe</source>
      <translation>Load recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="304"></location>
      <source>Save recipe</source>
      <translation>Save recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="361"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="392"></location>
      <source>Goal</source>
      <translation>Goal</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="362"></location>
      <source>Accuracy limit</source>
      <translation>Accuracy limit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="363"></location>
      <source>Find the best recipe</source>
      <translation>Find the best recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="366"></location>
      <source>Tries common recipes one by one and compares each with the original.</source>
      <translation>Tries common recipes one by one and compares each with the original.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="367"></location>
      <source>You can cancel at any time; finished results are kept.</source>
      <translation>You can cancel at any time; finished results are kept.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="383"></location>
      <source>Test data</source>
      <translation>Test data</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="386"></location>
      <source>Calibration</source>
      <translation>Calibration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="386"></location>
      <source>Test</source>
      <translation>Test</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="393"></location>
      <source>Objective</source>
      <translation>Objective</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="400"></location>
      <source>Choose a folder…</source>
      <translation>Choose a folder…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="402"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="277"></location>
      <source>Labels from CSV file…</source>
      <translation>Labels from CSV file…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="404"></location>
      <source>No folder</source>
      <translation>No folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="413"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="468"></location>
      <source>Calibration folder</source>
      <translation>Calibration folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="413"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="468"></location>
      <source>Test folder</source>
      <translation>Test folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="418"></location>
      <source>reading…</source>
      <translation>reading…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="435"></location>
      <source>At most {points} points lower</source>
      <translation>At most {points} points lower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="449"></location>
      <source>{files} in both folders; use different files</source>
      <translation>{files} in both folders; use different files</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="454"></location>
      <source>Choose a test folder to measure the accuracy</source>
      <translation>Choose a test folder to measure the accuracy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="456"></location>
      <source>A verdict needs at least {count} test inputs</source>
      <translation>A verdict needs at least {count} test inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="460"></location>
      <source>labeled: {count:,}</source>
      <translation>labeled: {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="462"></location>
      <source>no labels; results are compared with those of the original</source>
      <translation>no labels; results are compared with those of the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="464"></location>
      <source>No file is in both folders</source>
      <translation>No file is in both folders</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="480"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="342"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="244"></location>
      <source>Labels</source>
      <translation>Labels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py" line="480"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="342"></location>
      <source>Tables (*.csv)</source>
      <translation>Tables (*.csv)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="34"></location>
      <source>Weights only</source>
      <translation>Weights only</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="35"></location>
      <source>Activations only</source>
      <translation>Activations only</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="36"></location>
      <source>Rounded to zero</source>
      <translation>Rounded to zero</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="86"></location>
      <source>Signal-to-quantization-noise ratio of the outputs if only this layer is quantized</source>
      <translation>Signal-to-quantization-noise ratio of the outputs if only this layer is quantized</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="90"></location>
      <source>SQNR if only the weights of this layer are quantized</source>
      <translation>SQNR if only the weights of this layer are quantized</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="92"></location>
      <source>SQNR if only the activations that this layer produces are quantized</source>
      <translation>SQNR if only the activations that this layer produces are quantized</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="94"></location>
      <source>Channels or weights that are too small for the quantization step size</source>
      <translation>Channels or weights that are too small for the quantization step size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="144"></location>
      <source>Ranked layers</source>
      <translation>Ranked layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="149"></location>
      <source>Layers to keep in float</source>
      <translation>Layers to keep in float</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="151"></location>
      <source>Keep in float</source>
      <translation>Keep in float</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="191"></location>
      <source>Layers most affected by {action}</source>
      <translation>Layers most affected by {action}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="192"></location>
      <source>{done:,} of {total:,}</source>
      <translation>{done:,} of {total:,}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="194"></location>
      <source>calibration input</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln calibration input</numerusform>
        <numerusform>%Ln calibration inputs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py" line="196"></location>
      <source>Each layer is quantized by itself, and the outputs are compared on {inputs}.</source>
      <translation>Each layer is quantized by itself, and the outputs are compared on {inputs}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/tab.py" line="55"></location>
      <location filename="inspector/ui/window/tabs.py" line="97"></location>
      <source>Improve</source>
      <translation>Improve</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/tab.py" line="228"></location>
      <source>Reading {name}…</source>
      <translation>Reading {name}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/tab.py" line="230"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="343"></location>
      <location filename="inspector/ui/tabs/weights/tab.py" line="189"></location>
      <source>{name} is not open.</source>
      <translation>{name} is not open.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="75"></location>
      <source>Use this recipe</source>
      <translation>Use this recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="77"></location>
      <source>Run recipe</source>
      <translation>Run recipe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="78"></location>
      <source>Save model as…</source>
      <translation>Save model as…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="80"></location>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="101"></location>
      <location filename="inspector/ui/window/sidebar.py" line="85"></location>
      <location filename="inspector/ui/window/sidebar.py" line="137"></location>
      <source>Compare models</source>
      <translation>Compare models</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="81"></location>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="57"></location>
      <source>Run again</source>
      <translation>Run again</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="85"></location>
      <location filename="inspector/ui/widgets/notice.py" line="139"></location>
      <location filename="inspector/ui/window/sidebar.py" line="258"></location>
      <source>Show in folder</source>
      <translation>Show in folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="162"></location>
      <source>Cancel search</source>
      <translation>Cancel search</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="172"></location>
      <source>Run the recipe again to compare its layers.</source>
      <translation>Run the recipe again to compare its layers.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="177"></location>
      <source>runs at {count} of {every} optimization levels</source>
      <translation>runs at {count} of {every} optimization levels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="180"></location>
      <source>runs in {count} of {every} configurations (with and without XNNPACK)</source>
      <translation>runs in {count} of {every} configurations (with and without XNNPACK)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="199"></location>
      <source>Also notable: {text}.</source>
      <translation>Also notable: {text}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="199"></location>
      <source>Notable: {text}.</source>
      <translation>Notable: {text}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="221"></location>
      <source>Previous result: {verdict}.</source>
      <translation>Previous result: {verdict}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="226"></location>
      <source>The original file is not changed. You can cancel at any time; finished candidates are kept.</source>
      <translation>The original file is not changed. You can cancel at any time; finished candidates are kept.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="234"></location>
      <source>Add an action to the recipe, or search for the best one. The result is checked, compared with the original and saved as a new file; {name} is not changed.</source>
      <translation>Add an action to the recipe, or search for the best one. The result is checked, compared with the original and saved as a new file; {name} is not changed.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="239"></location>
      <source>Make this model smaller or faster</source>
      <translation>Make this model smaller or faster</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="247"></location>
      <source>None of the {count} is smaller without losing too much accuracy</source>
      <translation>None of the {count} is smaller without losing too much accuracy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="249"></location>
      <source>The only candidate is not smaller, or it loses too much accuracy</source>
      <translation>The only candidate is not smaller, or it loses too much accuracy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="253"></location>
      <source>None of the {count} is faster without losing too much accuracy</source>
      <translation>None of the {count} is faster without losing too much accuracy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="255"></location>
      <source>The only candidate is not faster, or it loses too much accuracy</source>
      <translation>The only candidate is not faster, or it loses too much accuracy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="258"></location>
      <source>{count} tried, none chosen</source>
      <translation>{count} tried, none chosen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="261"></location>
      <source>Click a point or a table row to see its verdict. You can also allow a larger drop in accuracy or test on more inputs.</source>
      <translation>Click a point or a table row to see its verdict. You can also allow a larger drop in accuracy or test on more inputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="274"></location>
      <source>“{title}” cannot be applied</source>
      <translation>“{title}” cannot be applied</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="279"></location>
      <source>Run the recipe to create the new model, run it at four optimization levels, and compare its outputs, size and latency with the original.</source>
      <translation>Run the recipe to create the new model, run it at four optimization levels, and compare its outputs, size and latency with the original.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="284"></location>
      <source>Run the recipe to create the new model, run it with and without XNNPACK, and compare its outputs, size and latency with the original.</source>
      <translation>Run the recipe to create the new model, run it with and without XNNPACK, and compare its outputs, size and latency with the original.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="288"></location>
      <source>Run the recipe to create the new model and check that it runs.</source>
      <translation>Run the recipe to create the new model and check that it runs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="289"></location>
      <source>{count}, not run yet</source>
      <translation>{count}, not run yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="293"></location>
      <source>There is no model to save. Try other options, or remove a step.</source>
      <translation>There is no model to save. Try other options, or remove a step.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="295"></location>
      <source>This recipe does not produce a working model</source>
      <translation>This recipe does not produce a working model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="342"></location>
      <source>the original</source>
      <translation>the original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="353"></location>
      <source>Save model as</source>
      <translation>Save model as</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="355"></location>
      <source>ONNX models (*.onnx);;All files (*)</source>
      <translation>ONNX models (*.onnx);;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="396"></location>
      <source>Choose a test folder to compare the outputs.</source>
      <translation>Choose a test folder to compare the outputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="399"></location>
      <source>A verdict on accuracy needs at least {count} test inputs.</source>
      <translation>A verdict on accuracy needs at least {count} test inputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="402"></location>
      <source>No accuracy limit is set.</source>
      <translation>No accuracy limit is set.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="405"></location>
      <source>Your limit is a drop of {number:g} point</source>
      <translation>Your limit is a drop of {number:g} point</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="407"></location>
      <source>Your limit is a drop of {number:g} points</source>
      <translation>Your limit is a drop of {number:g} points</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="411"></location>
      <source>the whole interval is above it</source>
      <translation>the whole interval is above it</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="412"></location>
      <source>the whole interval is below it</source>
      <translation>the whole interval is below it</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="413"></location>
      <source>it is inside the interval, so more test inputs are needed</source>
      <translation>it is inside the interval, so more test inputs are needed</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="419"></location>
      <source>test input</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln test input</numerusform>
        <numerusform>%Ln test inputs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="421"></location>
      <source>{count} from the folder {folder}</source>
      <translation>{count} from the folder {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="426"></location>
      <source>{original} to {value}</source>
      <translation>{original} to {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py" line="429"></location>
      <source>{name}: {text}, on {count}.</source>
      <translation>{name}: {text}, on {count}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="50"></location>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="108"></location>
      <source>label: {truth}</source>
      <translation>label: {truth}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="51"></location>
      <source>original: {answer}</source>
      <translation>original: {answer}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="52"></location>
      <source>recipe: {answer}</source>
      <translation>recipe: {answer}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="166"></location>
      <source>Worst inputs</source>
      <translation>Worst inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="219"></location>
      <source>{results} changed; original above, recipe below</source>
      <translation>{results} changed; original above, recipe below</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="221"></location>
      <source>{results} changed. Each row: label, original's result, recipe's result</source>
      <translation>{results} changed. Each row: label, original's result, recipe's result</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="222"></location>
      <location filename="inspector/ui/window/session.py" line="259"></location>
      <source>result</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln result</numerusform>
        <numerusform>%Ln results</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py" line="228"></location>
      <source>Show the worst {count}</source>
      <translation>Show the worst {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/places.py" line="43"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="236"></location>
      <source>This machine</source>
      <translation>This machine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/places.py" line="82"></location>
      <source>it is not connected to the hub</source>
      <translation>it is not connected to the hub</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/places.py" line="147"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="70"></location>
      <source>Idle</source>
      <translation>Idle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/places.py" line="160"></location>
      <source>Another device on {name}</source>
      <translation>Another device on {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/places.py" line="163"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="76"></location>
      <source>load {load}</source>
      <translation>load {load}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="85"></location>
      <source>Some layers not supported</source>
      <translation>Some layers not supported</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="87"></location>
      <source>Unreachable</source>
      <translation>Unreachable</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="88"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="326"></location>
      <source>Queued</source>
      <translation>Queued</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="89"></location>
      <source>Failed</source>
      <translation>Failed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="90"></location>
      <source>Refused</source>
      <translation>Refused</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="91"></location>
      <source>Lost</source>
      <translation>Lost</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="92"></location>
      <source>Not measured</source>
      <translation>Not measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="184"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="613"></location>
      <source>Too few runs</source>
      <translation>Too few runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="202"></location>
      <source>fastest</source>
      <translation>fastest</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="202"></location>
      <source>lowest</source>
      <translation>lowest</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="203"></location>
      <source>not clearly slower</source>
      <translation>not clearly slower</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="207"></location>
      <source>{count} layers</source>
      <translation>{count} layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="376"></location>
      <source>behind {what}</source>
      <translation>behind {what}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="411"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="458"></location>
      <source>Machines</source>
      <translation>Machines</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="411"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="126"></location>
      <location filename="inspector/ui/widgets/comparison_links.py" line="28"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="192"></location>
      <source>Models</source>
      <translation>Models</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="494"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="434"></location>
      <source>Models on machines</source>
      <translation>Models on machines</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/table.py" line="497"></location>
      <location filename="inspector/ui/widgets/table.py" line="400"></location>
      <source>Select all</source>
      <translation>Select all</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="100"></location>
      <source>Models on machines — Inspector</source>
      <translation>Models on machines — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="113"></location>
      <source>Value shown in cells</source>
      <translation>Value shown in cells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="118"></location>
      <source>Add machine…</source>
      <translation>Add machine…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="119"></location>
      <location filename="inspector/ui/tabs/machines/view.py" line="274"></location>
      <location filename="inspector/ui/tabs/performance/tab.py" line="448"></location>
      <location filename="inspector/ui/window/commands.py" line="287"></location>
      <location filename="inspector/ui/window/top_bar.py" line="120"></location>
      <source>Measure</source>
      <translation>Measure</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="121"></location>
      <source>Export</source>
      <translation>Export</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="243"></location>
      <source>Open models in the main window to measure them here.</source>
      <translation>Open models in the main window to measure them here.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="244"></location>
      <source>Choose at least one model and one machine on the left.</source>
      <translation>Choose at least one model and one machine on the left.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="249"></location>
      <source>{done:,} of {every:,} measured</source>
      <translation>{done:,} of {every:,} measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="274"></location>
      <source>Measure {cells}</source>
      <translation>Measure {cells}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/machines/view.py" line="275"></location>
      <source>cell</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln cell</numerusform>
        <numerusform>%Ln cells</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="277"></location>
      <source>Measure all again</source>
      <translation>Measure all again</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="310"></location>
      <source>, {count} queued</source>
      <translation>, {count} queued</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="315"></location>
      <source>Unreachable {why}</source>
      <translation>Unreachable {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="317"></location>
      <source>behind another measurement</source>
      <translation>behind another measurement</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="318"></location>
      <source>Queued {behind}</source>
      <translation>Queued {behind}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="321"></location>
      <source>Measuring {name}</source>
      <translation>Measuring {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="324"></location>
      <source>{count} lost: {why}</source>
      <translation>{count} lost: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="326"></location>
      <source>Done</source>
      <translation>Done</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="447"></location>
      <location filename="inspector/ui/window/sidebar.py" line="105"></location>
      <source>Open models</source>
      <translation>Open models</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="452"></location>
      <source>Machines and models to measure</source>
      <translation>Machines and models to measure</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="474"></location>
      <source>Bars: logarithmic scale</source>
      <translation>Bars: logarithmic scale</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="544"></location>
      <source>Measure with layer times</source>
      <translation>Measure with layer times</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="548"></location>
      <source>Measure this model on this machine and show the report in the model's Performance tab</source>
      <translation>Measure this model on this machine and show the report in the model's Performance tab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="570"></location>
      <source>{model} on {place}</source>
      <translation>{model} on {place}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="605"></location>
      <source>95% CI {limits}</source>
      <translation>95% CI {limits}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="607"></location>
      <source>no interval: too few runs</source>
      <translation>no interval: too few runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="609"></location>
      <source>of the model</source>
      <translation>of the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="610"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="242"></location>
      <source>median</source>
      <translation>median</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/machines/view.py" line="617"></location>
      <source>process</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln process</numerusform>
        <numerusform>%Ln processs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="628"></location>
      <source>not profiled</source>
      <translation>not profiled</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="630"></location>
      <source>all of them</source>
      <translation>all of them</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="630"></location>
      <source>{count:,} not supported</source>
      <translation>{count:,} not supported</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/machines/view.py" line="640"></location>
      <source>Progress</source>
      <translation>Progress</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="55"></location>
      <source>Computing…</source>
      <translation>Computing…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="56"></location>
      <source>Copy the full SHA-256</source>
      <translation>Copy the full SHA-256</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="59"></location>
      <source>SHA-256</source>
      <translation>SHA-256</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="81"></location>
      <source>version {version}</source>
      <translation>version {version}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="89"></location>
      <source>Format</source>
      <translation>Format</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="92"></location>
      <source>Opsets</source>
      <translation>Opsets</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="93"></location>
      <source>Producer</source>
      <translation>Producer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="94"></location>
      <source>Model domain</source>
      <translation>Model domain</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="96"></location>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py" line="29"></location>
      <source>Dynamic axes</source>
      <translation>Dynamic axes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="97"></location>
      <source>Functions</source>
      <translation>Functions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="98"></location>
      <source>Shared weights</source>
      <translation>Shared weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="99"></location>
      <source>Runs with</source>
      <translation>Runs with</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="100"></location>
      <source>Needs</source>
      <translation>Needs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="101"></location>
      <location filename="inspector/ui/tabs/overview/about.py" line="124"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="23"></location>
      <source>Required by</source>
      <translation>Required by</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="119"></location>
      <source>not released yet</source>
      <translation>not released yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="121"></location>
      <source>{runtime}, not on a CPU</source>
      <translation>{runtime}, not on a CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="122"></location>
      <source>Minimum runtime</source>
      <translation>Minimum runtime</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="129"></location>
      <location filename="inspector/ui/tabs/overview/tab.py" line="148"></location>
      <source>none yet</source>
      <translation>none yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/about.py" line="131"></location>
      <source>Newest operator</source>
      <translation>Newest operator</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="15"></location>
      <source>Inspector can read this model. Check whether the onnx package, its checker and ONNX Runtime can load it too; each check runs in its own process.</source>
      <translation>Inspector can read this model. Check whether the onnx package, its checker and ONNX Runtime can load it too; each check runs in its own process.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="32"></location>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="57"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="28"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="47"></location>
      <source>Run</source>
      <translation>Run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="40"></location>
      <source>Compatibility check</source>
      <translation>Compatibility check</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="59"></location>
      <source>{text}: compatibility check</source>
      <translation>{text}: compatibility check</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="93"></location>
      <source>Checking {programs}…</source>
      <translation>Checking {programs}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/compatibility_card.py" line="101"></location>
      <source>Canceled before all checks were done.</source>
      <translation>Canceled before all checks were done.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="20"></location>
      <source>Multiply-accumulates (MACs)</source>
      <translation>Multiply-accumulates (MACs)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="21"></location>
      <source>Operations</source>
      <translation>Operations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="22"></location>
      <source>Memory traffic (estimated)</source>
      <translation>Memory traffic (estimated)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="23"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="115"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="90"></location>
      <source>Arithmetic intensity</source>
      <translation>Arithmetic intensity</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="24"></location>
      <source>Peak activation memory (estimated)</source>
      <translation>Peak activation memory (estimated)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="37"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="699"></location>
      <source>Cost</source>
      <translation>Cost</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="37"></location>
      <source>per run</source>
      <translation>per run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="50"></location>
      <source>Inferring shapes…</source>
      <translation>Inferring shapes…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="67"></location>
      <source>at least </source>
      <translation>at least </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="81"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="91"></location>
      <source>{intensity} FLOP/byte</source>
      <translation>{intensity} FLOP/byte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="93"></location>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py" line="39"></location>
      <source>Size of {name}</source>
      <translation>Size of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="140"></location>
      <source>at least {text}</source>
      <translation>at least {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="148"></location>
      <source>{note} Only declared shapes are counted.</source>
      <translation>{note} Only declared shapes are counted.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="154"></location>
      <source>Unknown for {layers}: {named}.</source>
      <translation>Unknown for {layers}: {named}.</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="156"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="197"></location>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="218"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="135"></location>
      <location filename="inspector/ui/tabs/weights/value_histogram.py" line="77"></location>
      <source>value</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln value</numerusform>
        <numerusform>%Ln values</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="160"></location>
      <source>{count} more dynamic axes are assumed to be 1.</source>
      <translation>{count} more dynamic axes are assumed to be 1.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cost_card.py" line="164"></location>
      <source>Estimated from the tensor shapes, not measured.</source>
      <translation>Estimated from the tensor shapes, not measured.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="29"></location>
      <source>Certain</source>
      <translation>Certain</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="30"></location>
      <source>Likely</source>
      <translation>Likely</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="31"></location>
      <source>Assumed</source>
      <translation>Assumed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="34"></location>
      <source>Problem</source>
      <translation>Problem</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="38"></location>
      <source>Stated in the file, or the only possibility given the structure of the model.</source>
      <translation>Stated in the file, or the only possibility given the structure of the model.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="40"></location>
      <source>The structure matches a known model family.</source>
      <translation>The structure matches a known model family.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="42"></location>
      <source>These match the model, but nothing in the file confirms them. Change or undo them if they are wrong.</source>
      <translation>These match the model, but nothing in the file confirms them. Change or undo them if they are wrong.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="45"></location>
      <source>The file does not state it, and its structure matches no known family.</source>
      <translation>The file does not state it, and its structure matches no known family.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="117"></location>
      <source>Change…</source>
      <translation>Change…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="117"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="177"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="48"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="59"></location>
      <source>Undo</source>
      <translation>Undo</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="118"></location>
      <source>Change the class names</source>
      <translation>Change the class names</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="120"></location>
      <source>Restore the previous class names</source>
      <translation>Restore the previous class names</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/identity_card.py" line="122"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="49"></location>
      <source>Show numbers instead of the assumed class names</source>
      <translation>Show numbers instead of the assumed class names</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="36"></location>
      <source>Filter: conv, op:Add, 1x*x8x8</source>
      <translation>Filter: conv, op:Add, 1x*x8x8</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/layer_list.py" line="115"></location>
      <source>{shown:,} of {total}</source>
      <translation>{shown:,} of {total}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/layer_rows.py" line="27"></location>
      <source>Inputs → outputs</source>
      <translation>Inputs → outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="68"></location>
      <source>Try your own image</source>
      <translation>Try your own image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="68"></location>
      <source>Try your own input</source>
      <translation>Try your own input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="72"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="164"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="145"></location>
      <source>Image</source>
      <translation>Image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="102"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="320"></location>
      <source>Are the predictions right?</source>
      <translation>Are the predictions right?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="102"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="45"></location>
      <source>Prediction</source>
      <translation>Prediction</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="109"></location>
      <source>output</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln output</numerusform>
        <numerusform>%Ln outputs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="110"></location>
      <source>shown in Preview</source>
      <translation>shown in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="114"></location>
      <source>Not tried yet</source>
      <translation>Not tried yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="116"></location>
      <source>An input is ready in Preview</source>
      <translation>An input is ready in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="116"></location>
      <source>See what it predicts</source>
      <translation>See what it predicts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="126"></location>
      <source>The image does not fit the model</source>
      <translation>The image does not fit the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="138"></location>
      <source>Images ({suffixes});;All files (*)</source>
      <translation>Images ({suffixes});;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="140"></location>
      <source>An image for this model</source>
      <translation>An image for this model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="147"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="232"></location>
      <source>Previous result</source>
      <translation>Previous result</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="152"></location>
      <source>The new input has no result</source>
      <translation>The new input has no result</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="169"></location>
      <source>{percent:.1f}% of {told:,} labeled inputs right</source>
      <translation>{percent:.1f}% of {told:,} labeled inputs right</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="177"></location>
      <source>from {file}</source>
      <translation>from {file}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="177"></location>
      <source>generated input</source>
      <translation>generated input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="190"></location>
      <source>Check now</source>
      <translation>Check now</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="192"></location>
      <source>All targets…</source>
      <translation>All targets…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="199"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="276"></location>
      <source>Fix dynamic axes…</source>
      <translation>Fix dynamic axes…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="203"></location>
      <source>Set these sizes in a copy of the model; many phones and NPUs require fixed sizes</source>
      <translation>Set these sizes in a copy of the model; many phones and NPUs require fixed sizes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="209"></location>
      <source>Assumes {sizes}</source>
      <translation>Assumes {sizes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="210"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="165"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="170"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="34"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="568"></location>
      <source>Device support</source>
      <translation>Device support</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="239"></location>
      <location filename="inspector/ui/timeline/widget/gutter.py" line="19"></location>
      <source>unused</source>
      <translation>unused</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="252"></location>
      <source>{layers} · estimated</source>
      <translation>{layers} · estimated</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="296"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="384"></location>
      <source>{layers} ran</source>
      <translation>{layers} ran</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="297"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="387"></location>
      <source>{text}, {fused:,} fused</source>
      <translation>{text}, {fused:,} fused</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="306"></location>
      <source>all {layers:,}, including {some:,} with {provider}</source>
      <translation>all {layers:,}, including {some:,} with {provider}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="321"></location>
      <source>Run the model on your own images and folders</source>
      <translation>Run the model on your own images and folders</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="322"></location>
      <source>Open Preview</source>
      <translation>Open Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="326"></location>
      <source>Where does the time go?</source>
      <translation>Where does the time go?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="327"></location>
      <source>Latency, and the time of each layer</source>
      <translation>Latency, and the time of each layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="328"></location>
      <source>Open Performance</source>
      <translation>Open Performance</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="332"></location>
      <source>Can it be smaller or faster?</source>
      <translation>Can it be smaller or faster?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="333"></location>
      <source>Float16, int8 and more; each result is checked and measured</source>
      <translation>Float16, int8 and more; each result is checked and measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="334"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="65"></location>
      <source>Open Improve</source>
      <translation>Open Improve</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="338"></location>
      <source>How do I use it in my program?</source>
      <translation>How do I use it in my program?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="339"></location>
      <source>Code in your programming language, ready to copy</source>
      <translation>Code in your programming language, ready to copy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="340"></location>
      <source>Show code</source>
      <translation>Show code</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="344"></location>
      <source>Does it run on a phone?</source>
      <translation>Does it run on a phone?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="345"></location>
      <source>Android, iPhone, NPUs and browsers</source>
      <translation>Android, iPhone, NPUs and browsers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="346"></location>
      <source>Check support</source>
      <translation>Check support</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="365"></location>
      <source>Next steps</source>
      <translation>Next steps</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="425"></location>
      <source>Measured: {latency}, {kind}</source>
      <translation>Measured: {latency}, {kind}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="432"></location>
      <source>Candidates were compared; see the results</source>
      <translation>Candidates were compared; see the results</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="433"></location>
      <source>Checked: see Device support</source>
      <translation>Checked: see Device support</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="442"></location>
      <source>Where it runs</source>
      <translation>Where it runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py" line="456"></location>
      <location filename="inspector/ui/window/top_bar.py" line="371"></location>
      <source>Install {name}…</source>
      <translation>Install {name}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="21"></location>
      <source>QDQ</source>
      <translation>QDQ</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="21"></location>
      <source>QDQ: quantize and dequantize nodes around float operators</source>
      <translation>QDQ: quantize and dequantize nodes around float operators</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="22"></location>
      <source>QOperator</source>
      <translation>QOperator</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="22"></location>
      <source>QOperator: integer operators</source>
      <translation>QOperator: integer operators</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="23"></location>
      <source>integer: layers compute with integers</source>
      <translation>integer: layers compute with integers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="24"></location>
      <source>dynamic: activations are quantized on every run</source>
      <translation>dynamic: activations are quantized on every run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="25"></location>
      <source>weight-only: activations stay float</source>
      <translation>weight-only: activations stay float</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="35"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="130"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="61"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="480"></location>
      <source>Precision</source>
      <translation>Precision</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="40"></location>
      <source>Stored weights by size</source>
      <translation>Stored weights by size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="59"></location>
      <source>Compute types by layer count</source>
      <translation>Compute types by layer count</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="88"></location>
      <source>The file contains no weights.</source>
      <translation>The file contains no weights.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="94"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="85"></location>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="58"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="207"></location>
      <location filename="inspector/ui/window/session.py" line="633"></location>
      <source> and </source>
      <translation> and </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="96"></location>
      <source>{tensor_count} {form}: {size} instead of {size_2}</source>
      <translation>{tensor_count} {form}: {size} instead of {size_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="104"></location>
      <source>Compressed weights</source>
      <translation>Compressed weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="104"></location>
      <source>Quantization</source>
      <translation>Quantization</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/overview/shares.py" line="108"></location>
      <source>cast</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln cast</numerusform>
        <numerusform>%Ln casts</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/overview/shares.py" line="108"></location>
      <source>conversion</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln conversion</numerusform>
        <numerusform>%Ln conversions</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="109"></location>
      <source>{inside} inside the model, {outside} outside: {noun} per run</source>
      <translation>{inside} inside the model, {outside} outside: {noun} per run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="119"></location>
      <source>{bits}-bit</source>
      <translation>{bits}-bit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="134"></location>
      <location filename="inspector/ui/tabs/overview/shares.py" line="140"></location>
      <source>Operators</source>
      <translation>Operators</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/shares.py" line="144"></location>
      <source>operators</source>
      <translation>operators</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="49"></location>
      <source>{named} and {more} more</source>
      <translation>{named} and {more} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="52"></location>
      <source>a custom operator library</source>
      <translation>a custom operator library</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="68"></location>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="232"></location>
      <location filename="inspector/ui/tabs/performance/tab.py" line="303"></location>
      <location filename="inspector/ui/tabs/preview/tab.py" line="528"></location>
      <source>Choose library…</source>
      <translation>Choose library…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="72"></location>
      <source>Choose the library that provides the custom operators. Its code runs in the engine process; choose only one you trust. It is remembered for this model</source>
      <translation>Choose the library that provides the custom operators. Its code runs in the engine process; choose only one you trust. It is remembered for this model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="93"></location>
      <source>Library: {names}</source>
      <translation>Library: {names}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="112"></location>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="29"></location>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="34"></location>
      <source>Findings</source>
      <translation>Findings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="118"></location>
      <source>findings</source>
      <translation>findings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="175"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="398"></location>
      <source>Structure</source>
      <translation>Structure</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="324"></location>
      <source>  {alike} identical</source>
      <translation>  {alike} identical</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="392"></location>
      <location filename="inspector/ui/tabs/weights/tab.py" line="103"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="323"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="83"></location>
      <location filename="inspector/ui/window/tabs.py" line="62"></location>
      <source>Weights</source>
      <translation>Weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="393"></location>
      <source>Bars show</source>
      <translation>Bars show</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="415"></location>
      <source> · {row_count} of identical blocks</source>
      <translation> · {row_count} of identical blocks</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="416"></location>
      <source>row</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln row</numerusform>
        <numerusform>%Ln rows</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/overview/structure_card.py" line="421"></location>
      <source>scope</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln scope</numerusform>
        <numerusform>%Ln scopes</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="62"></location>
      <source>Minimum {program}</source>
      <translation>Minimum {program}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="65"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="61"></location>
      <source>Runs on</source>
      <translation>Runs on</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="87"></location>
      <source>noisy: {reason}</source>
      <translation>noisy: {reason}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="95"></location>
      <source> · {nested:,} nested</source>
      <translation> · {nested:,} nested</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="98"></location>
      <source>calculating…</source>
      <translation>calculating…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="101"></location>
      <source>no graph</source>
      <translation>no graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="104"></location>
      <source>unknown, {layers}</source>
      <translation>unknown, {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="107"></location>
      <source>estimated, {layers}</source>
      <translation>estimated, {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="113"></location>
      <source> · {count} in constants</source>
      <translation> · {count} in constants</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="124"></location>
      <source>weights {size}, {type}</source>
      <translation>weights {size}, {type}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="133"></location>
      <source>minimum version not stated</source>
      <translation>minimum version not stated</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="139"></location>
      <source>required by {with_opset}</source>
      <translation>required by {with_opset}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="141"></location>
      <source>any release</source>
      <translation>any release</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="145"></location>
      <source>not on a CPU: {reason}</source>
      <translation>not on a CPU: {reason}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="168"></location>
      <location filename="inspector/ui/window/tabs.py" line="53"></location>
      <source>Overview</source>
      <translation>Overview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="275"></location>
      <source>Inputs with defaults</source>
      <translation>Inputs with defaults</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="276"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="141"></location>
      <location filename="inspector/ui/widgets/comparison_links.py" line="38"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="278"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="310"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="765"></location>
      <source>Outputs</source>
      <translation>Outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="317"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="135"></location>
      <source>Code</source>
      <translation>Code</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="319"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="143"></location>
      <source>Metadata</source>
      <translation>Metadata</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py" line="341"></location>
      <location filename="inspector/ui/tabs/preview/tab.py" line="268"></location>
      <location filename="inspector/ui/tabs/weights/tab.py" line="187"></location>
      <source>Opening {name}…</source>
      <translation>Opening {name}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/text_cards.py" line="18"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="53"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="134"></location>
      <source>Description</source>
      <translation>Description</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/text_cards.py" line="18"></location>
      <source>Graph description</source>
      <translation>Graph description</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/text_cards.py" line="37"></location>
      <source>entries</source>
      <translation>entries</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/text_cards.py" line="60"></location>
      <source>Show the full text of {key}</source>
      <translation>Show the full text of {key}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/text_cards.py" line="94"></location>
      <source>
… {rest:,} more characters</source>
      <translation>
… {rest:,} more characters</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/text_cards.py" line="100"></location>
      <source>Full text</source>
      <translation>Full text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="31"></location>
      <source>None.</source>
      <translation>None.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="85"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="202"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="168"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="176"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="95"></location>
      <source>(no name)</source>
      <translation>(no name)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="129"></location>
      <source>{i} more</source>
      <translation>{i} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="139"></location>
      <source>{dtype} tensor</source>
      <translation>{dtype} tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="155"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="386"></location>
      <source>more</source>
      <translation>more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="156"></location>
      <source>{unnamed} unnamed</source>
      <translation>{unnamed} unnamed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py" line="157"></location>
      <source>dynamic: {text}</source>
      <translation>dynamic: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="86"></location>
      <source>paths, separated by semicolons</source>
      <translation>paths, separated by semicolons</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="107"></location>
      <location filename="inspector/ui/tabs/performance/tab.py" line="307"></location>
      <source>Move failing layers to the CPU</source>
      <translation>Move failing layers to the CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="110"></location>
      <source>If a layer fails on the device, force it to the CPU, mark it in the report, and measure again</source>
      <translation>If a layer fails on the device, force it to the CPU, mark it in the report, and measure again</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="129"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="263"></location>
      <source>Session options</source>
      <translation>Session options</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="143"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="27"></location>
      <source>Default</source>
      <translation>Default</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="203"></location>
      <source>layer names, separated by semicolons</source>
      <translation>layer names, separated by semicolons</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="233"></location>
      <source>Choose a library with custom operators</source>
      <translation>Choose a library with custom operators</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="257"></location>
      <source>key=value; …</source>
      <translation>key=value; …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/backend_fields.py" line="267"></location>
      <source>'{part}' is not of the form key=value</source>
      <translation>'{part}' is not of the form key=value</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="29"></location>
      <source>A run succeeded with the failing layers forced to the CPU.</source>
      <translation>A run succeeded with the failing layers forced to the CPU.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="30"></location>
      <source>No run succeeded, so each layer was checked on its own: {}.</source>
      <translation>No run succeeded, so each layer was checked on its own: {}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="31"></location>
      <source>Supported when run alone</source>
      <translation>Supported when run alone</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="166"></location>
      <source>Filter, or type “failed” or “not supported”</source>
      <translation>Filter, or type “failed” or “not supported”</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py" line="197"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="230"></location>
      <source>{shown:,} of {total:,}</source>
      <translation>{shown:,} of {total:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="108"></location>
      <source>Position in the model</source>
      <translation>Position in the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="122"></location>
      <source>Shape of the first output</source>
      <translation>Shape of the first output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="133"></location>
      <source>Data type of the computation; stored → computed where the device has no kernel for the stored type</source>
      <translation>Data type of the computation; stored → computed where the device has no kernel for the stored type</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="146"></location>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="73"></location>
      <source>% of time</source>
      <translation>% of time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="149"></location>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="128"></location>
      <source>Share of the total time of all kernels</source>
      <translation>Share of the total time of all kernels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="153"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="223"></location>
      <source>Min to max</source>
      <translation>Min to max</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="157"></location>
      <source>Min and max of the profiled runs behind the median; noisy if more than 1 run in 20 takes over 3 times the median</source>
      <translation>Min and max of the profiled runs behind the median; noisy if more than 1 run in 20 takes over 3 times the median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="163"></location>
      <source>Arena in use</source>
      <translation>Arena in use</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="167"></location>
      <source>Measured: bytes in use in the runtime's memory arena when the kernel ended, in the first run</source>
      <translation>Measured: bytes in use in the runtime's memory arena when the kernel ended, in the first run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="173"></location>
      <source>GFLOP/s</source>
      <translation>GFLOP/s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="176"></location>
      <source>Operations per second of the layer's own time, fused layers included</source>
      <translation>Operations per second of the layer's own time, fused layers included</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="180"></location>
      <source>% of peak</source>
      <translation>% of peak</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="184"></location>
      <source>Percentage of the device's peak that the layer achieves: peak memory bandwidth if the layer is memory-bound, otherwise peak compute</source>
      <translation>Percentage of the device's peak that the layer achieves: peak memory bandwidth if the layer is memory-bound, otherwise peak compute</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="190"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="121"></location>
      <source>Limited by</source>
      <translation>Limited by</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="193"></location>
      <source>What limits the layer at its arithmetic intensity: compute, memory bandwidth, or caches (the data comes from caches, faster than memory could deliver it)</source>
      <translation>What limits the layer at its arithmetic intensity: compute, memory bandwidth, or caches (the data comes from caches, faster than memory could deliver it)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="258"></location>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="272"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="303"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="436"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="384"></location>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="235"></location>
      <source>not timed</source>
      <translation>not timed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="268"></location>
      <source>counted in {leaf}</source>
      <translation>counted in {leaf}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="270"></location>
      <source>counted in #{index} {leaf}</source>
      <translation>counted in #{index} {leaf}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="280"></location>
      <location filename="inspector/ui/translate.py" line="66"></location>
      <source>up to {high}</source>
      <translation>up to {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="286"></location>
      <source>{number} to {high}</source>
      <translation>{number} to {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="312"></location>
      <source>Not checked</source>
      <translation>Not checked</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="321"></location>
      <source>Added by the runtime, ran here</source>
      <translation>Added by the runtime, ran here</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="363"></location>
      <source>{reached} of the memory bandwidth, {peak}</source>
      <translation>{reached} of the memory bandwidth, {peak}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="367"></location>
      <source>{reached} of the compute peak, {peak}</source>
      <translation>{reached} of the compute peak, {peak}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="535"></location>
      <source>Not timed: {submission}</source>
      <translation>Not timed: {submission}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="539"></location>
      <source>Its time is included in layer {index}, {column_name}</source>
      <translation>Its time is included in layer {index}, {column_name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_model.py" line="561"></location>
      <source> · estimated from a {source}</source>
      <translation> · estimated from a {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="30"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="36"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="498"></location>
      <source>Noisy</source>
      <translation>Noisy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="247"></location>
      <source>Filter by name, operator or device</source>
      <translation>Filter by name, operator or device</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="249"></location>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="188"></location>
      <source>Operator types</source>
      <translation>Operator types</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="259"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="275"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="192"></location>
      <source>Details</source>
      <translation>Details</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="275"></location>
      <source>Hide details</source>
      <translation>Hide details</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="302"></location>
      <source>List copies, casts and layout conversions that the runtime added</source>
      <translation>List copies, casts and layout conversions that the runtime added</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="306"></location>
      <source>{count:,} not timed separately</source>
      <translation>{count:,} not timed separately</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="308"></location>
      <source>List layers that were fused into another one, folded away or never run</source>
      <translation>List layers that were fused into another one, folded away or never run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="311"></location>
      <source>Rows of the table</source>
      <translation>Rows of the table</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="330"></location>
      <source>Total own time of the listed layers per run, measured with the profiler on; latency is measured without it</source>
      <translation>Total own time of the listed layers per run, measured with the profiler on; latency is measured without it</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="388"></location>
      <source>Show all {count:,} rows</source>
      <translation>Show all {count:,} rows</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="404"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="156"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="180"></location>
      <source>Show in timeline</source>
      <translation>Show in timeline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="411"></location>
      <location filename="inspector/ui/widgets/table_card.py" line="63"></location>
      <source>Filter to {operator}</source>
      <translation>Filter to {operator}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="417"></location>
      <source>Filter to {scope}</source>
      <translation>Filter to {scope}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="429"></location>
      <source>operator type</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln operator type</numerusform>
        <numerusform>%Ln operator types</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="434"></location>
      <source>{count:,} of {listed:,}</source>
      <translation>{count:,} of {listed:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py" line="453"></location>
      <source>{count:,} added by runtime</source>
      <translation>{count:,} added by runtime</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="40"></location>
      <source>Results also vary between processes, because their memory layout differs. Measure in several processes to include this variation.</source>
      <translation>Results also vary between processes, because their memory layout differs. Measure in several processes to include this variation.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="43"></location>
      <source>All statistics</source>
      <translation>All statistics</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="114"></location>
      <source>over {count:,} processes</source>
      <translation>over {count:,} processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="115"></location>
      <source>{count:,} processes</source>
      <translation>{count:,} processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="126"></location>
      <source>outputs differ</source>
      <translation>outputs differ</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="126"></location>
      <source>outputs match</source>
      <translation>outputs match</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="128"></location>
      <source>Noisy:</source>
      <translation>Noisy:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="136"></location>
      <source>Outputs, compared with an unoptimized run on the CPU: {answer_text}</source>
      <translation>Outputs, compared with an unoptimized run on the CPU: {answer_text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="168"></location>
      <source>{range} in all measurements with these settings</source>
      <translation>{range} in all measurements with these settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="174"></location>
      <source>95% CI {texts} {scope}</source>
      <translation>95% CI {texts} {scope}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="184"></location>
      <source>range {range} of {runs}</source>
      <translation>range {range} of {runs}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="184"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="168"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="540"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="204"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="526"></location>
      <location filename="inspector/ui/window/status.py" line="90"></location>
      <source>run</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln run</numerusform>
        <numerusform>%Ln runs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="197"></location>
      <source>95% CI {texts}, {processes}</source>
      <translation>95% CI {texts}, {processes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="198"></location>
      <source>{texts}, {processes}</source>
      <translation>{texts}, {processes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="199"></location>
      <source>95% CI {texts}</source>
      <translation>95% CI {texts}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="208"></location>
      <source>More</source>
      <translation>More</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="234"></location>
      <source>no run was timed</source>
      <translation>no run was timed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="351"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="379"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="380"></location>
      <source>Devices</source>
      <translation>Devices</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="352"></location>
      <source>Check others…</source>
      <translation>Check others…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="355"></location>
      <source>Check which layers other devices support</source>
      <translation>Check which layers other devices support</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="363"></location>
      <source>, not timed</source>
      <translation>, not timed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="453"></location>
      <source>The first load in a new process. Preview shows a shorter time because its process has already loaded the runtime and read the file.</source>
      <translation>The first load in a new process. Preview shows a shorter time because its process has already loaded the runtime and read the file.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="459"></location>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="44"></location>
      <location filename="inspector/ui/tabs/performance/progress.py" line="28"></location>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="132"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="377"></location>
      <source>Load</source>
      <translation>Load</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="462"></location>
      <source>first run {first}</source>
      <translation>first run {first}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="473"></location>
      <source>process peak {size}</source>
      <translation>process peak {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py" line="476"></location>
      <source>Peak resident memory (RSS) of the process, {size}, minus {size_2} before loading. The weights take {size_3}.</source>
      <translation>Peak resident memory (RSS) of the process, {size}, minus {size_2} before loading. The weights take {size_3}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="26"></location>
      <source>Sum of medians</source>
      <translation>Sum of medians</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="27"></location>
      <source>Sum of means</source>
      <translation>Sum of means</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="28"></location>
      <source>Sum of 5th percentiles</source>
      <translation>Sum of 5th percentiles</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="29"></location>
      <source>Sum of times</source>
      <translation>Sum of times</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="69"></location>
      <source>Operator type</source>
      <translation>Operator type</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="99"></location>
      <source>not timed separately</source>
      <translation>not timed separately</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="114"></location>
      <source>{layers}, {timed:,} timed separately</source>
      <translation>{layers}, {timed:,} timed separately</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="123"></location>
      <source>Layers of this type in the model</source>
      <translation>Layers of this type in the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="125"></location>
      <source>Sum of the times of these layers; the time of a fused layer is counted in the layer it was fused into</source>
      <translation>Sum of the times of these layers; the time of a fused layer is counted in the layer it was fused into</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/operator_type_table.py" line="129"></location>
      <source>How many of these layers the device ran or supports</source>
      <translation>How many of these layers the device ran or supports</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="43"></location>
      <source>Show {transition_count}</source>
      <translation>Show {transition_count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="44"></location>
      <source>more device transition</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln more device transition</numerusform>
        <numerusform>%Ln more device transitions</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="49"></location>
      <source>Partitions</source>
      <translation>Partitions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="82"></location>
      <source>{partition_count} by device</source>
      <translation>{partition_count} by device</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="83"></location>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="301"></location>
      <source>partition</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln partition</numerusform>
        <numerusform>%Ln partitions</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="163"></location>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="302"></location>
      <source>device transition</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln device transition</numerusform>
        <numerusform>%Ln device transitions</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="237"></location>
      <source>included in partition</source>
      <translation>included in partition</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="246"></location>
      <source> starting at #{layers}, {duration}</source>
      <translation> starting at #{layers}, {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="250"></location>
      <source>copies</source>
      <translation>copies</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="261"></location>
      <source>{first} and {layer_count} after it</source>
      <translation>{first} and {layer_count} after it</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="268"></location>
      <source>{layers} on {device}: {duration} of computation, plus {copies} of data ({size}, {duration_2})</source>
      <translation>{layers} on {device}: {duration} of computation, plus {copies} of data ({size}, {duration_2})</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/partition_card.py" line="274"></location>
      <source>copy</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln copy</numerusform>
        <numerusform>%Ln copys</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="52"></location>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="34"></location>
      <source>Memory</source>
      <translation>Memory</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="53"></location>
      <source>resident (RSS), peak marked</source>
      <translation>resident (RSS), peak marked</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="114"></location>
      <source>{title} by phase</source>
      <translation>{title} by phase</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="154"></location>
      <source>from the file</source>
      <translation>from the file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="155"></location>
      <source>from bytes in memory</source>
      <translation>from bytes in memory</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="157"></location>
      <source>compiled earlier</source>
      <translation>compiled earlier</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/phase_cards.py" line="161"></location>
      <source>{time}, in a new process</source>
      <translation>{time}, in a new process</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="29"></location>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="94"></location>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="134"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="46"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="156"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="378"></location>
      <source>First run</source>
      <translation>First run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="29"></location>
      <source>first prediction</source>
      <translation>first prediction</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="30"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="166"></location>
      <source>Warm-up</source>
      <translation>Warm-up</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="32"></location>
      <source>Profile</source>
      <translation>Profile</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="60"></location>
      <source>Step {current} of {count}: {title}</source>
      <translation>Step {current} of {count}: {title}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="172"></location>
      <source> · 95% CI ±{value:.2g}%</source>
      <translation> · 95% CI ±{value:.2g}%</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="175"></location>
      <source>{unit} · median of {count} so far{precision}</source>
      <translation>{unit} · median of {count} so far{precision}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py" line="181"></location>
      <source>Results appear after the warm-up runs.</source>
      <translation>Results appear after the warm-up runs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/report_view.py" line="168"></location>
      <location filename="inspector/ui/tabs/trace/tab.py" line="147"></location>
      <source>Notes</source>
      <translation>Notes</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/report_view.py" line="176"></location>
      <source>core</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln core</numerusform>
        <numerusform>%Ln cores</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/report_view.py" line="178"></location>
      <source>Measured {day} with {runtime} on {cpu}, {cores}, {size}, {system}</source>
      <translation>Measured {day} with {runtime} on {cpu}, {cores}, {size}, {system}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/report_view.py" line="190"></location>
      <location filename="inspector/ui/window/sidebar.py" line="150"></location>
      <source>Noisy: {reason}</source>
      <translation>Noisy: {reason}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="38"></location>
      <source>Each dot is a layer; larger dots take more time</source>
      <translation>Each dot is a layer; larger dots take more time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="39"></location>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="71"></location>
      <source>Roofline</source>
      <translation>Roofline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="112"></location>
      <source>Compute type</source>
      <translation>Compute type</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="116"></location>
      <source>{intensity} operations per byte</source>
      <translation>{intensity} operations per byte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="123"></location>
      <source>memory, {value:.0f}% of its bandwidth</source>
      <translation>memory, {value:.0f}% of its bandwidth</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="125"></location>
      <source>overhead, {value:.0f}% of the roofline limit</source>
      <translation>overhead, {value:.0f}% of the roofline limit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="127"></location>
      <source>{bound}, {value:.0f}% of the compute peak</source>
      <translation>{bound}, {value:.0f}% of the compute peak</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="174"></location>
      <source>Arithmetic intensity (operations per byte)</source>
      <translation>Arithmetic intensity (operations per byte)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="175"></location>
      <source>OP/s</source>
      <translation>OP/s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py" line="274"></location>
      <source>{name}: {reached}, limited by {bound}.</source>
      <translation>{name}: {reached}, limited by {bound}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="55"></location>
      <source>Latency of each run, in order</source>
      <translation>Latency of each run, in order</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="96"></location>
      <source>Warm-up run {number}</source>
      <translation>Warm-up run {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="100"></location>
      <source>Run {place:,}</source>
      <translation>Run {place:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="103"></location>
      <source>CPU time</source>
      <translation>CPU time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="105"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="116"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="187"></location>
      <location filename="inspector/ui/window/top_bar.py" line="119"></location>
      <location filename="inspector/ui/window/top_bar.py" line="332"></location>
      <source>CPU</source>
      <translation>CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="105"></location>
      <source>throttled or busy</source>
      <translation>throttled or busy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="107"></location>
      <source>Outlier</source>
      <translation>Outlier</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="107"></location>
      <source>waited for a CPU core</source>
      <translation>waited for a CPU core</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="142"></location>
      <source>{count:,} runs</source>
      <translation>{count:,} runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="156"></location>
      <source>CPU throttled or busy</source>
      <translation>CPU throttled or busy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="156"></location>
      <source>full CPU speed</source>
      <translation>full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="299"></location>
      <source>{count:,} runs from {duration} to </source>
      <translation>{count:,} runs from {duration} to </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="302"></location>
      <source>{duration}; {count:,} outliers</source>
      <translation>{duration}; {count:,} outliers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="306"></location>
      <source>; the CPU was throttled or busy in {count:,}</source>
      <translation>; the CPU was throttled or busy in {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/run_chart.py" line="310"></location>
      <source>; the median changed at run {at:,}</source>
      <translation>; the median changed at run {at:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="54"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="388"></location>
      <source>Assumes {assumes}</source>
      <translation>Assumes {assumes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="59"></location>
      <source>{provider} · estimated from a {source}. {assumed}</source>
      <translation>{provider} · estimated from a {source}. {assumed}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="68"></location>
      <source>Check device support</source>
      <translation>Check device support</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="72"></location>
      <source>Adds a column for each selected device, with an estimate of whether it supports each layer, from the support tables of the execution providers</source>
      <translation>Adds a column for each selected device, with an estimate of whether it supports each layer, from the support tables of the execution providers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="91"></location>
      <source>{count} devices</source>
      <translation>{count} devices</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="110"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="115"></location>
      <source>Off</source>
      <translation>Off</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="111"></location>
      <source>Up to 3 s</source>
      <translation>Up to 3 s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="112"></location>
      <source>Up to 10 s</source>
      <translation>Up to 10 s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="113"></location>
      <source>Up to 60 s</source>
      <translation>Up to 60 s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="120"></location>
      <source>Keep running for at least this long</source>
      <translation>Keep running for at least this long</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="120"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="260"></location>
      <source>Minimum duration</source>
      <translation>Minimum duration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="122"></location>
      <source>Wait for full CPU speed</source>
      <translation>Wait for full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="125"></location>
      <source>If the CPU was throttled or busy, keep running for up to this long until enough runs were at full CPU speed; processes that never reached it are repeated</source>
      <translation>If the CPU was throttled or busy, keep running for up to this long until enough runs were at full CPU speed; processes that never reached it are repeated</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="130"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="262"></location>
      <source>Target width of interval</source>
      <translation>Target width of interval</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="132"></location>
      <source>Keep running until the 95% confidence interval of the median is this narrow</source>
      <translation>Keep running until the 95% confidence interval of the median is this narrow</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="137"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="138"></location>
      <source>Profile model loading</source>
      <translation>Profile model loading</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="140"></location>
      <source>Load the model again with runtime logging enabled to time each load phase, and once more to count prepacked weights</source>
      <translation>Load the model again with runtime logging enabled to time each load phase, and once more to count prepacked weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="145"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="146"></location>
      <source>Verify outputs</source>
      <translation>Verify outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="147"></location>
      <source>Compare the outputs with those of an unoptimized run on the CPU</source>
      <translation>Compare the outputs with those of an unoptimized run on the CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="150"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="151"></location>
      <source>Roofline analysis</source>
      <translation>Roofline analysis</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="153"></location>
      <source>Compare each layer with the device's peak compute and memory rates, measured once on this machine</source>
      <translation>Compare each layer with the device's peak compute and memory rates, measured once on this machine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="158"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="159"></location>
      <source>Synchronize layers</source>
      <translation>Synchronize layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="161"></location>
      <source>On GPUs that run asynchronously, wait for each layer to finish before starting the next. Slow, and each time includes a round trip to the device</source>
      <translation>On GPUs that run asynchronously, wait for each layer to finish before starting the next. Slow, and each time includes a round trip to the device</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="166"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="167"></location>
      <source>Asynchronous calls</source>
      <translation>Asynchronous calls</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="169"></location>
      <source>Also measure run_async and compare it with run: the time until it returns, until its callback begins, and until the caller has the outputs</source>
      <translation>Also measure run_async and compare it with run: the time until it returns, until its callback begins, and until the caller has the outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="194"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="259"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="380"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="454"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="128"></location>
      <source>Processes</source>
      <translation>Processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="198"></location>
      <source>Repeat the measurement in this many new processes, because results differ between processes</source>
      <translation>Repeat the measurement in this many new processes, because results differ between processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="204"></location>
      <source>Sessions in one process</source>
      <translation>Sessions in one process</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="209"></location>
      <source>Also load the model this many times in one process, and run all sessions at once. Measures memory, load time and latency: with nothing shared, with a shared memory arena, and with shared threads</source>
      <translation>Also load the model this many times in one process, and run all sessions at once. Measures memory, load time and latency: with nothing shared, with a shared memory arena, and with shared threads</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="216"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="252"></location>
      <source>Warm-up runs</source>
      <translation>Warm-up runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="239"></location>
      <location filename="inspector/ui/tabs/performance/settings.py" line="311"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="217"></location>
      <source>More settings</source>
      <translation>More settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="261"></location>
      <source>Wait until the CPU is at full speed</source>
      <translation>Wait until the CPU is at full speed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="268"></location>
      <source>Check support for</source>
      <translation>Check support for</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="270"></location>
      <source>Sessions</source>
      <translation>Sessions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="311"></location>
      <source>Fewer settings</source>
      <translation>Fewer settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="334"></location>
      <source>Size of {shown}</source>
      <translation>Size of {shown}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="368"></location>
      <source>Up to {steady:g} s</source>
      <translation>Up to {steady:g} s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="392"></location>
      <source>Inputs are filled automatically; choose other inputs in Preview.</source>
      <translation>Inputs are filled automatically; choose other inputs in Preview.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="406"></location>
      <source>Inputs from Preview: {shown}{more}</source>
      <translation>Inputs from Preview: {shown}{more}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="438"></location>
      <source>I/O binding: inputs</source>
      <translation>I/O binding: inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="439"></location>
      <source>I/O binding: on device</source>
      <translation>I/O binding: on device</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="456"></location>
      <source>changed since this report</source>
      <translation>changed since this report</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="457"></location>
      <source>Change how the model is measured</source>
      <translation>Change how the model is measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="515"></location>
      <source>Measured with</source>
      <translation>Measured with</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="538"></location>
      <location filename="inspector/ui/window/sidebar.py" line="319"></location>
      <location filename="inspector/ui/window/status.py" line="94"></location>
      <source>default threads</source>
      <translation>default threads</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="542"></location>
      <location filename="inspector/ui/window/sidebar.py" line="324"></location>
      <source>{starts} processes</source>
      <translation>{starts} processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="544"></location>
      <source>at least {seconds:g} s</source>
      <translation>at least {seconds:g} s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="547"></location>
      <source>wait up to {steady:g} s for full CPU speed</source>
      <translation>wait up to {steady:g} s for full CPU speed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="550"></location>
      <source>until median within ±{value:g}%</source>
      <translation>until median within ±{value:g}%</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/settings.py" line="551"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="205"></location>
      <location filename="inspector/ui/window/status.py" line="91"></location>
      <source>warm-up run</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln warm-up run</numerusform>
        <numerusform>%Ln warm-up runs</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="553"></location>
      <source>I/O binding: inputs, outputs</source>
      <translation>I/O binding: inputs, outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="559"></location>
      <source>move failing layers to the CPU</source>
      <translation>move failing layers to the CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="562"></location>
      <source>loaded from {load_from}</source>
      <translation>loaded from {load_from}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/settings.py" line="565"></location>
      <source>load</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln load</numerusform>
        <numerusform>%Ln loads</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="567"></location>
      <source>model loading profiled</source>
      <translation>model loading profiled</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="569"></location>
      <source>outputs verified</source>
      <translation>outputs verified</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="571"></location>
      <source>roofline</source>
      <translation>roofline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="573"></location>
      <source>layers synchronized</source>
      <translation>layers synchronized</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/settings.py" line="575"></location>
      <source>session</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln session</numerusform>
        <numerusform>%Ln sessions</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="577"></location>
      <source>asynchronous calls</source>
      <translation>asynchronous calls</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py" line="580"></location>
      <source>support checked for: {map}</source>
      <translation>support checked for: {map}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="35"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="40"></location>
      <source>Count</source>
      <translation>Count</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="51"></location>
      <source>Measure in {count} processes</source>
      <translation>Measure in {count} processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="56"></location>
      <source>History…</source>
      <translation>History…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="58"></location>
      <source>List past reports on this model and their trend</source>
      <translation>List past reports on this model and their trend</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="65"></location>
      <source>Hide statistics</source>
      <translation>Hide statistics</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="88"></location>
      <source>max {duration} {tails_of}</source>
      <translation>max {duration} {tails_of}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="92"></location>
      <source>{rate} inferences/s (1 / mean latency)</source>
      <translation>{rate} inferences/s (1 / mean latency)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="109"></location>
      <source>{share} at {rate} fps</source>
      <translation>{share} at {rate} fps</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="114"></location>
      <source>Runs that fit into one video frame: {rates}.</source>
      <translation>Runs that fit into one video frame: {rates}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="130"></location>
      <source>CPU time, all threads</source>
      <translation>CPU time, all threads</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/statistics_card.py" line="131"></location>
      <source>Compilation</source>
      <translation>Compilation</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="31"></location>
      <source>Measure device peak</source>
      <translation>Measure device peak</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="32"></location>
      <source>Measure device peak again</source>
      <translation>Measure device peak again</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="34"></location>
      <source>Measures only how fast the device computes and moves data. The model is not measured again; the rest of the report stays as it is</source>
      <translation>Measures only how fast the device computes and moves data. The model is not measured again; the rest of the report stays as it is</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="57"></location>
      <source>Measure with all optimizations</source>
      <translation>Measure with all optimizations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="59"></location>
      <source>Measure with default thread counts</source>
      <translation>Measure with default thread counts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="60"></location>
      <source>Try without conversions</source>
      <translation>Try without conversions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="61"></location>
      <source>Measure with I/O binding</source>
      <translation>Measure with I/O binding</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="66"></location>
      <source>Fix in Improve</source>
      <translation>Fix in Improve</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="104"></location>
      <source>Bottleneck and top suggestions</source>
      <translation>Bottleneck and top suggestions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="120"></location>
      <source>All {count} suggestions</source>
      <translation>All {count} suggestions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="153"></location>
      <source>Show roofline</source>
      <translation>Show roofline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="160"></location>
      <source>Show timeline</source>
      <translation>Show timeline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="187"></location>
      <source>Show details</source>
      <translation>Show details</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="213"></location>
      <source>Measuring…{share}</source>
      <translation>Measuring…{share}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="220"></location>
      <source>Bottleneck</source>
      <translation>Bottleneck</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="223"></location>
      <source>Nothing found that would make it faster on this {device}</source>
      <translation>Nothing found that would make it faster on this {device}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="225"></location>
      <source>Nothing found that would make it faster</source>
      <translation>Nothing found that would make it faster</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="230"></location>
      <source>Making these layers twice as fast would cut kernel time by {percent:.0f}%.</source>
      <translation>Making these layers twice as fast would cut kernel time by {percent:.0f}%.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="236"></location>
      <source>What to try: a different device, precision, or input size.</source>
      <translation>What to try: a different device, precision, or input size.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="325"></location>
      <source>Show {suggestion_count}</source>
      <translation>Show {suggestion_count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="326"></location>
      <source>more suggestion</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln more suggestion</numerusform>
        <numerusform>%Ln more suggestions</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="330"></location>
      <source>suggestion</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln suggestion</numerusform>
        <numerusform>%Ln suggestions</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="331"></location>
      <source>Suggestions</source>
      <translation>Suggestions</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="367"></location>
      <source>and {layer_count}</source>
      <translation>and {layer_count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="367"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="68"></location>
      <source>more layer</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln more layer</numerusform>
        <numerusform>%Ln more layers</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py" line="387"></location>
      <source>Select layer {index}, {name}</source>
      <translation>Select layer {index}, {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="46"></location>
      <source>Measure with fixed sizes</source>
      <translation>Measure with fixed sizes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="61"></location>
      <source>layer is</source>
      <translation>layer is</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="61"></location>
      <source>layers are</source>
      <translation>layers are</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="65"></location>
      <source>{count:,} {are} not supported on a device because of dynamic axes ({names}).</source>
      <translation>{count:,} {are} not supported on a device because of dynamic axes ({names}).</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="121"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="446"></location>
      <location filename="inspector/ui/tabs/sweep/view.py" line="86"></location>
      <location filename="inspector/ui/window/top_bar.py" line="265"></location>
      <source>Sweep</source>
      <translation>Sweep</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="123"></location>
      <source>The CPU can run this layer, and the device can run all others. The layer table shows which layer it is.</source>
      <translation>The CPU can run this layer, and the device can run all others. The layer table shows which layer it is.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="127"></location>
      <source>Run the layers that fail on the device on the CPU instead, and measure again</source>
      <translation>Run the layers that fail on the device on the CPU instead, and measure again</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="130"></location>
      <source>Too many layers fail on this device to measure the rest of the model.</source>
      <translation>Too many layers fail on this device to measure the rest of the model.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="133"></location>
      <source>Choose the library that provides the model's custom operators, and measure again. Its code runs in the engine process; choose only one you trust</source>
      <translation>Choose the library that provides the model's custom operators, and measure again. Its code runs in the engine process; choose only one you trust</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="137"></location>
      <source>Check on the device, layer by layer, which layers run and which fail</source>
      <translation>Check on the device, layer by layer, which layers run and which fail</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="153"></location>
      <source>View of the Performance tab</source>
      <translation>View of the Performance tab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="191"></location>
      <source>Performance report</source>
      <translation>Performance report</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="315"></location>
      <source>Check each layer</source>
      <translation>Check each layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="364"></location>
      <source>This report is of an earlier version of {name}. Measure again for the current file.</source>
      <translation>This report is of an earlier version of {name}. Measure again for the current file.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="466"></location>
      <source>{shown} has not been measured yet</source>
      <translation>{shown} has not been measured yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="468"></location>
      <source>Opening {shown}</source>
      <translation>Opening {shown}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="472"></location>
      <source>Measure its latency, the time of each layer, and which layers each device supports.</source>
      <translation>Measure its latency, the time of each layer, and which layers each device supports.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py" line="476"></location>
      <source>You can measure it as soon as it has loaded.</source>
      <translation>You can measure it as soon as it has loaded.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="50"></location>
      <source>Exact float16 arithmetic</source>
      <translation>Exact float16 arithmetic</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="77"></location>
      <source>Another model</source>
      <translation>Another model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="86"></location>
      <source>Runs the same input again on another device, model or setting and compares the outputs.</source>
      <translation>Runs the same input again on another device, model or setting and compares the outputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="166"></location>
      <source>This {first} · {label} {second}</source>
      <translation>This {first} · {label} {second}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="206"></location>
      <source>Nothing to compare.</source>
      <translation>Nothing to compare.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="223"></location>
      <source>Same values</source>
      <translation>Same values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="226"></location>
      <source> at {list}</source>
      <translation> at {list}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="232"></location>
      <source>Mean rel error</source>
      <translation>Mean rel error</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="233"></location>
      <source>{:.1f} dB</source>
      <translation>{:.1f} dB</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="236"></location>
      <source>Same top-1 class</source>
      <translation>Same top-1 class</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="245"></location>
      <source>NaN or infinite in one run only</source>
      <translation>NaN or infinite in one run only</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="250"></location>
      <source>{unequal:,} of {count:,}</source>
      <translation>{unequal:,} of {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py" line="285"></location>
      <source>Absolute difference: {low:.2g} to {high:.2g}</source>
      <translation>Absolute difference: {low:.2g} to {high:.2g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/comparing.py" line="219"></location>
      <source>The other model appears to use a different layout (channels first or channels last), so the input was transposed for it.</source>
      <translation>The other model appears to use a different layout (channels first or channels last), so the input was transposed for it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/comparing.py" line="233"></location>
      <source>The other model expects a different shape or type, so the same input was converted separately for it.</source>
      <translation>The other model expects a different shape or type, so the same input was converted separately for it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="35"></location>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="179"></location>
      <source>Camera</source>
      <translation>Camera</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="59"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="285"></location>
      <source>Pasted image</source>
      <translation>Pasted image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="228"></location>
      <source>cast from {name} to {dtype}</source>
      <translation>cast from {name} to {dtype}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="262"></location>
      <source>after {step_count}</source>
      <translation>after {step_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="315"></location>
      <source>{capitalize} to {size}</source>
      <translation>{capitalize} to {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py" line="319"></location>
      <source>Original size</source>
      <translation>Original size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="46"></location>
      <location filename="inspector/ui/tabs/preview/trials.py" line="242"></location>
      <source>Score</source>
      <translation>Score</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="47"></location>
      <source>Label</source>
      <translation>Label</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="48"></location>
      <source>Other run</source>
      <translation>Other run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="140"></location>
      <source>failed</source>
      <translation>failed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="141"></location>
      <source>right</source>
      <translation>right</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="141"></location>
      <source>wrong</source>
      <translation>wrong</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="142"></location>
      <source>same</source>
      <translation>same</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="193"></location>
      <source>✓ same</source>
      <translation>✓ same</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="207"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="210"></location>
      <location filename="inspector/ui/tabs/weights/tab.py" line="31"></location>
      <source>Files</source>
      <translation>Files</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="208"></location>
      <source>Filter, or type “wrong” or “failed”</source>
      <translation>Filter, or type “wrong” or “failed”</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="209"></location>
      <source>Filter files</source>
      <translation>Filter files</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="271"></location>
      <location filename="inspector/ui/window/commands.py" line="197"></location>
      <source>Open folder…</source>
      <translation>Open folder…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="277"></location>
      <source>Labels from subfolders</source>
      <translation>Labels from subfolders</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="277"></location>
      <source>No labels</source>
      <translation>No labels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="278"></location>
      <source>Label source</source>
      <translation>Label source</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="280"></location>
      <source>Compare the results with</source>
      <translation>Compare the results with</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="280"></location>
      <source>Nothing to compare with</source>
      <translation>Nothing to compare with</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="285"></location>
      <source>Top-1</source>
      <translation>Top-1</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="285"></location>
      <source>Top-5</source>
      <translation>Top-5</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="286"></location>
      <source>Top-1, other run</source>
      <translation>Top-1, other run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="287"></location>
      <source>Agreement</source>
      <translation>Agreement</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="326"></location>
      <source>Run on {folder}</source>
      <translation>Run on {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="329"></location>
      <source>The test folder of this model</source>
      <translation>The test folder of this model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="410"></location>
      <source>Folder of inputs</source>
      <translation>Folder of inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="439"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="451"></location>
      <source>{right:,} correct of {told:,} labeled</source>
      <translation>{right:,} correct of {told:,} labeled</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="446"></location>
      <source>{same:,} of {compared:,} compared</source>
      <translation>{same:,} of {compared:,} compared</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="461"></location>
      <source>Drop a folder here. The model runs on every file, with the preprocessing of the input.</source>
      <translation>Drop a folder here. The model runs on every file, with the preprocessing of the input.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="465"></location>
      <source>{name} · {files:,} of {total:,} files</source>
      <translation>{name} · {files:,} of {total:,} files</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="469"></location>
      <source> · {duration} each</source>
      <translation> · {duration} each</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="474"></location>
      <source> · {failed:,} failed</source>
      <translation> · {failed:,} failed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="477"></location>
      <source> · the labels do not match the model's classes</source>
      <translation> · the labels do not match the model's classes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="479"></location>
      <source> · compared with {label}</source>
      <translation> · compared with {label}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="488"></location>
      <source>A folder of inputs</source>
      <translation>A folder of inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="505"></location>
      <source>Export CSV</source>
      <translation>Export CSV</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="522"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="556"></location>
      <source>Confusion matrix</source>
      <translation>Confusion matrix</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="535"></location>
      <source>{left_out:,} with rarer labels are not shown.</source>
      <translation>{left_out:,} with rarer labels are not shown.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="569"></location>
      <source>{count} labels, {wrong:,} of {sum:,} wrong</source>
      <translation>{count} labels, {wrong:,} of {sum:,} wrong</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="608"></location>
      <source>Predicted class</source>
      <translation>Predicted class</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py" line="612"></location>
      <source>Actual class</source>
      <translation>Actual class</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="40"></location>
      <source>Waveform</source>
      <translation>Waveform</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="41"></location>
      <source>Spectrogram</source>
      <translation>Spectrogram</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="43"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="108"></location>
      <source>Drop or open an audio file</source>
      <translation>Drop or open an audio file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="44"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="245"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="142"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="157"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="65"></location>
      <location filename="inspector/ui/window/commands.py" line="193"></location>
      <location filename="inspector/ui/window/welcome.py" line="61"></location>
      <source>Open…</source>
      <translation>Open…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="48"></location>
      <source>Window (samples)</source>
      <translation>Window (samples)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="49"></location>
      <source>Hop (samples)</source>
      <translation>Hop (samples)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="50"></location>
      <source>Leading silence in samples</source>
      <translation>Leading silence in samples</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="51"></location>
      <source>Rate in Hz</source>
      <translation>Rate in Hz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="52"></location>
      <source>Repeat short audio instead of padding with silence</source>
      <translation>Repeat short audio instead of padding with silence</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="86"></location>
      <source> · mean of {channels} channels</source>
      <translation> · mean of {channels} channels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="88"></location>
      <source>{name} · {rate:,} Hz{sides}</source>
      <translation>{name} · {rate:,} Hz{sides}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="96"></location>
      <source>Vertical: 0 to {highest:,.0f} Hz. Horizontal: time</source>
      <translation>Vertical: 0 to {highest:,.0f} Hz. Horizontal: time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="116"></location>
      <source>Steps</source>
      <translation>Steps</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="123"></location>
      <source>Hop</source>
      <translation>Hop</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="123"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="11"></location>
      <source>Window</source>
      <translation>Window</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="124"></location>
      <source>Context</source>
      <translation>Context</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="124"></location>
      <source>Rate</source>
      <translation>Rate</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="146"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="163"></location>
      <source>as selected</source>
      <translation>as selected</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="176"></location>
      <source>Magnitude spectrum of each window · </source>
      <translation>Magnitude spectrum of each window · </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py" line="184"></location>
      <source>Audio for this input</source>
      <translation>Audio for this input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py" line="60"></location>
      <source>currently {length:,}</source>
      <translation>currently {length:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="88"></location>
      <source>To use the camera, install the Qt module for it: pip install "onnx-inspector[media]"</source>
      <translation>To use the camera, install the Qt module for it: pip install "onnx-inspector[media]"</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="91"></location>
      <source>The operating system is blocking Inspector's access to the camera. Allow access in the system settings.</source>
      <translation>The operating system is blocking Inspector's access to the camera. Allow access in the system settings.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="94"></location>
      <source>No camera is available on this machine.</source>
      <translation>No camera is available on this machine.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="162"></location>
      <source>The camera stopped{said}; another program may be using it.</source>
      <translation>The camera stopped{said}; another program may be using it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="184"></location>
      <source>Capture image</source>
      <translation>Capture image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="185"></location>
      <source>Live: run the model continuously on camera frames</source>
      <translation>Live: run the model continuously on camera frames</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="186"></location>
      <source>Turn off the camera</source>
      <translation>Turn off the camera</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="256"></location>
      <source>To record audio, install the Qt module for it: pip install "onnx-inspector[media]"</source>
      <translation>To record audio, install the Qt module for it: pip install "onnx-inspector[media]"</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="259"></location>
      <source>The operating system is blocking Inspector's access to the microphone. Allow access in the system settings.</source>
      <translation>The operating system is blocking Inspector's access to the microphone. Allow access in the system settings.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="262"></location>
      <source>No microphone is available on this machine.</source>
      <translation>No microphone is available on this machine.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="264"></location>
      <source>The microphone recorded only silence. Check in the system settings whether it is muted.</source>
      <translation>The microphone recorded only silence. Check in the system settings whether it is muted.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="358"></location>
      <source>The microphone does not provide a supported audio format.</source>
      <translation>The microphone does not provide a supported audio format.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="366"></location>
      <source>The microphone could not be opened; another program may be using it.</source>
      <translation>The microphone could not be opened; another program may be using it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="412"></location>
      <source>Microphone level</source>
      <translation>Microphone level</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="446"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="58"></location>
      <source>Record</source>
      <translation>Record</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="486"></location>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py" line="105"></location>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="111"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="174"></location>
      <source> Stop</source>
      <translation> Stop</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="495"></location>
      <source>recording {number}.wav</source>
      <translation>recording {number}.wav</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="513"></location>
      <source> Record</source>
      <translation> Record</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="528"></location>
      <source>Wayland does not let programs capture the screen. Use your system's screenshot key, then paste it.</source>
      <translation>Wayland does not let programs capture the screen. Use your system's screenshot key, then paste it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="532"></location>
      <source>The screen could not be captured. Take a screenshot, then paste it.</source>
      <translation>The screen could not be captured. Take a screenshot, then paste it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="534"></location>
      <source>Drag a rectangle · Enter captures the whole screen · Esc cancels</source>
      <translation>Drag a rectangle · Enter captures the whole screen · Esc cancels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py" line="601"></location>
      <source>Capture part of the screen</source>
      <translation>Capture part of the screen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="35"></location>
      <source>Custom</source>
      <translation>Custom</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="35"></location>
      <source>Suggested for this model</source>
      <translation>Suggested for this model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="37"></location>
      <source>Gray</source>
      <translation>Gray</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="52"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="99"></location>
      <location filename="inspector/ui/tabs/preview/trials.py" line="242"></location>
      <source>Preset</source>
      <translation>Preset</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="53"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="100"></location>
      <source>Width</source>
      <translation>Width</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="54"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="100"></location>
      <source>Height</source>
      <translation>Height</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="57"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="101"></location>
      <location filename="inspector/ui/widgets/table_card.py" line="91"></location>
      <source>Filter</source>
      <translation>Filter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="59"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="102"></location>
      <source>Channels</source>
      <translation>Channels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="60"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="102"></location>
      <source>Layout</source>
      <translation>Layout</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="61"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="103"></location>
      <source>Range</source>
      <translation>Range</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="62"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="103"></location>
      <source>Padding value</source>
      <translation>Padding value</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="63"></location>
      <source>Gray level around the image; only with Resize: Fit</source>
      <translation>Gray level around the image; only with Resize: Fit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="64"></location>
      <source>Mean of red, green, blue</source>
      <translation>Mean of red, green, blue</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="65"></location>
      <source>Standard deviation of red, green, blue</source>
      <translation>Standard deviation of red, green, blue</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="104"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="262"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="43"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="91"></location>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="235"></location>
      <source>Mean</source>
      <translation>Mean</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="104"></location>
      <source>Std</source>
      <translation>Std</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="141"></location>
      <source>Mean and std must be numbers, such as 0.485, 0.456, 0.406.</source>
      <translation>Mean and std must be numbers, such as 0.485, 0.456, 0.406.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="193"></location>
      <source>Value range {range_text}{why}</source>
      <translation>Value range {range_text}{why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="223"></location>
      <source>Expects: {text}</source>
      <translation>Expects: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="231"></location>
      <source>Image: drop, paste or open one</source>
      <translation>Image: drop, paste or open one</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="232"></location>
      <source>Model input</source>
      <translation>Model input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="234"></location>
      <source>No image yet</source>
      <translation>No image yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="236"></location>
      <source>Try other presets</source>
      <translation>Try other presets</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="239"></location>
      <source>Run the model with each common preset and compare the results</source>
      <translation>Run the model with each common preset and compare the results</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="243"></location>
      <source>Show or hide the preprocessing</source>
      <translation>Show or hide the preprocessing</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="246"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="157"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="177"></location>
      <source>Paste</source>
      <translation>Paste</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="247"></location>
      <source>Screen…</source>
      <translation>Screen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="249"></location>
      <source>Capture part of the screen (this window hides while you select)</source>
      <translation>Capture part of the screen (this window hides while you select)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="254"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="67"></location>
      <source>Use a sample</source>
      <translation>Use a sample</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="291"></location>
      <source>Inverted {name}</source>
      <translation>Inverted {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="314"></location>
      <source>Model input · {width} × {height}</source>
      <translation>Model input · {width} × {height}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="356"></location>
      <source>Preprocessing</source>
      <translation>Preprocessing</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py" line="385"></location>
      <source>An image for this input</source>
      <translation>An image for this input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="88"></location>
      <source>Next step</source>
      <translation>Next step</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="89"></location>
      <source>Run again with the state that this run returned</source>
      <translation>Run again with the state that this run returned</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="90"></location>
      <source>Reset state</source>
      <translation>Reset state</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="119"></location>
      <source>Starts at zero, then takes the value of {output}</source>
      <translation>Starts at zero, then takes the value of {output}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="121"></location>
      <source>Value of {output} after {step_count}</source>
      <translation>Value of {output} after {step_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="164"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="143"></location>
      <source>Audio</source>
      <translation>Audio</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="166"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="60"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="147"></location>
      <source>Values</source>
      <translation>Values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="167"></location>
      <source>Fill with {media} or with values</source>
      <translation>Fill with {media} or with values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="189"></location>
      <source>Save preprocessing…</source>
      <translation>Save preprocessing…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="215"></location>
      <source>Save this preprocessing for the next time</source>
      <translation>Save this preprocessing for the next time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="217"></location>
      <source>Save it to a file next to the model, or to a copy of the model</source>
      <translation>Save it to a file next to the model, or to a copy of the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="220"></location>
      <source>Show code…</source>
      <translation>Show code…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="225"></location>
      <source>Edit…</source>
      <translation>Edit…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="228"></location>
      <source>Edit the values of {name}</source>
      <translation>Edit the values of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="230"></location>
      <source>Edit the values cell by cell</source>
      <translation>Edit the values cell by cell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="359"></location>
      <source>Saved</source>
      <translation>Saved</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="360"></location>
      <source>Saved in {source}</source>
      <translation>Saved in {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="364"></location>
      <source>No values.</source>
      <translation>No values.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="384"></location>
      <source>Code that preprocesses an image this way in your program</source>
      <translation>Code that preprocesses an image this way in your program</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="423"></location>
      <source>, all {number}</source>
      <translation>, all {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py" line="428"></location>
      <source>, {low} to {high}, mean {mean}</source>
      <translation>, {low} to {high}, mean {mean}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="65"></location>
      <source>inputs</source>
      <translation>inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="108"></location>
      <source>Drop, paste or open an image</source>
      <translation>Drop, paste or open an image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="110"></location>
      <source>{noun} to run the model.</source>
      <translation>{noun} to run the model.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="152"></location>
      <source>Could not use {name}</source>
      <translation>Could not use {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="153"></location>
      <source>the model has no input '{name}'</source>
      <translation>the model has no input '{name}'</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="167"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="224"></location>
      <source>the clipboard</source>
      <translation>the clipboard</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="170"></location>
      <source>there is no image on the clipboard</source>
      <translation>there is no image on the clipboard</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="171"></location>
      <source>Copy an image or a file first.</source>
      <translation>Copy an image or a file first.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="173"></location>
      <source>Could not paste an image</source>
      <translation>Could not paste an image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="202"></location>
      <source>Could not use {value}</source>
      <translation>Could not use {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py" line="203"></location>
      <source>no input of this model takes an image</source>
      <translation>no input of this model takes an image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="23"></location>
      <source>Key</source>
      <translation>Key</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="64"></location>
      <source>new key</source>
      <translation>new key</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="68"></location>
      <source>row {line}, {heads}: {value}</source>
      <translation>row {line}, {heads}: {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="69"></location>
      <source>empty</source>
      <translation>empty</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="138"></location>
      <source>Keys and values of {name}</source>
      <translation>Keys and values of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="143"></location>
      <source>Remove the selected key</source>
      <translation>Remove the selected key</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="144"></location>
      <source>Load keys and values from a JSON file</source>
      <translation>Load keys and values from a JSON file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="151"></location>
      <source>Keys are {get}</source>
      <translation>Keys are {get}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="151"></location>
      <source>whole numbers</source>
      <translation>whole numbers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="184"></location>
      <source>JSON (*.json)</source>
      <translation>JSON (*.json)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="184"></location>
      <source>Open Map</source>
      <translation>Open Map</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py" line="192"></location>
      <source>'{twice}' appears twice; the last one is used.</source>
      <translation>'{twice}' appears twice; the last one is used.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="28"></location>
      <source>Tables (*.csv *.tsv *.txt);;All files (*)</source>
      <translation>Tables (*.csv *.tsv *.txt);;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="121"></location>
      <source>Values of the inputs</source>
      <translation>Values of the inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="155"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="156"></location>
      <source>Find an input</source>
      <translation>Find an input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="158"></location>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="81"></location>
      <location filename="inspector/ui/widgets/table_card.py" line="121"></location>
      <source>Clear</source>
      <translation>Clear</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="159"></location>
      <source>Row of the table</source>
      <translation>Row of the table</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="161"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="67"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="79"></location>
      <source>Row</source>
      <translation>Row</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="163"></location>
      <source>A row of a table</source>
      <translation>A row of a table</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="166"></location>
      <source>{input_count}, one value each</source>
      <translation>{input_count}, one value each</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="219"></location>
      <source>pasted</source>
      <translation>pasted</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="248"></location>
      <source>of {many:,} · {source}</source>
      <translation>of {many:,} · {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="273"></location>
      <source>'{shown}' is not a number for {name} ({described}).</source>
      <translation>'{shown}' is not a number for {name} ({described}).</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="288"></location>
      <source>{given:,} of {total:,} set; the others use default values.</source>
      <translation>{given:,} of {total:,} set; the others use default values.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py" line="299"></location>
      <source>A table</source>
      <translation>A table</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="27"></location>
      <source>Ones</source>
      <translation>Ones</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="27"></location>
      <source>Random</source>
      <translation>Random</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="27"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="93"></location>
      <source>Zeros</source>
      <translation>Zeros</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="29"></location>
      <source>Values ({patterns});;All files (*)</source>
      <translation>Values ({patterns});;All files (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="53"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="59"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="146"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="149"></location>
      <source>Text</source>
      <translation>Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="57"></location>
      <source>Sample text: {text}</source>
      <translation>Sample text: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="58"></location>
      <source>Enter text</source>
      <translation>Enter text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="61"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="63"></location>
      <source>Seed</source>
      <translation>Seed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="62"></location>
      <source>Randomize</source>
      <translation>Randomize</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="132"></location>
      <source>Values for this input</source>
      <translation>Values for this input</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="147"></location>
      <source>No file yet</source>
      <translation>No file yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="175"></location>
      <source>Values of {name}</source>
      <translation>Values of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="184"></location>
      <source>Click a value to edit it</source>
      <translation>Click a value to edit it</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="233"></location>
      <source>Values outside the shape were ignored.</source>
      <translation>Values outside the shape were ignored.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py" line="240"></location>
      <source>the typed values</source>
      <translation>the typed values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py" line="21"></location>
      <source>To play audio: pip install "onnx-inspector[media]"</source>
      <translation>To play audio: pip install "onnx-inspector[media]"</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py" line="22"></location>
      <source>No audio output device is available on this machine.</source>
      <translation>No audio output device is available on this machine.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py" line="57"></location>
      <source>Play</source>
      <translation>Play</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py" line="73"></location>
      <source> Play</source>
      <translation> Play</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py" line="94"></location>
      <source>The audio output device does not support {rate:,} Hz.</source>
      <translation>The audio output device does not support {rate:,} Hz.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py" line="73"></location>
      <source>row {number}</source>
      <translation>row {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py" line="88"></location>
      <source>Top classes</source>
      <translation>Top classes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py" line="103"></location>
      <source>Row {number}</source>
      <translation>Row {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py" line="196"></location>
      <source>Mean opinion score, 1 (bad) to 5 (excellent)</source>
      <translation>Mean opinion score, 1 (bad) to 5 (excellent)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="31"></location>
      <source>Cosine similarity, highest first</source>
      <translation>Cosine similarity, highest first</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="81"></location>
      <source>Save embedding</source>
      <translation>Save embedding</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="107"></location>
      <source>result {count}</source>
      <translation>result {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="129"></location>
      <source>{count:,} values · L2 norm {length:.4g}</source>
      <translation>{count:,} values · L2 norm {length:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="134"></location>
      <source>Save this embedding, then change the input to compare the two by cosine similarity.</source>
      <translation>Save this embedding, then change the input to compare the two by cosine similarity.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="138"></location>
      <source>the {shown} nearest of </source>
      <translation>the {shown} nearest of </translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="140"></location>
      <source>saved embedding</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln saved embedding</numerusform>
        <numerusform>%Ln saved embeddings</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py" line="141"></location>
      <source>Cosine similarity to {nearest}{others}; 1 = same direction</source>
      <translation>Cosine similarity to {nearest}{others}; 1 = same direction</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="29"></location>
      <source>Before on the left, after on the right</source>
      <translation>Before on the left, after on the right</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="88"></location>
      <source>Side by side</source>
      <translation>Side by side</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="88"></location>
      <source>Slider</source>
      <translation>Slider</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="89"></location>
      <source>Before and after view</source>
      <translation>Before and after view</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="94"></location>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="125"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="232"></location>
      <source>Before</source>
      <translation>Before</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="112"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="225"></location>
      <source>Drag to compare before and after</source>
      <translation>Drag to compare before and after</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="144"></location>
      <source>Before · {shape} × {shape_2}</source>
      <translation>Before · {shape} × {shape_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="151"></location>
      <source>black = {low:.4g}, white = {high:.4g}</source>
      <translation>black = {low:.4g}, white = {high:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py" line="154"></location>
      <source>After · </source>
      <translation>After · </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_view.py" line="263"></location>
      <source>Drop an image here</source>
      <translation>Drop an image here</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_view.py" line="264"></location>
      <source>or paste one, or click</source>
      <translation>or paste one, or click</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="44"></location>
      <source>Model family</source>
      <translation>Model family</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="60"></location>
      <source>Restore the detected preprocessing</source>
      <translation>Restore the detected preprocessing</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="61"></location>
      <source>Run with the guessed preprocessing only</source>
      <translation>Run with the guessed preprocessing only</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="81"></location>
      <source>Recognized as {name}</source>
      <translation>Recognized as {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="86"></location>
      <source>Input: {preprocessing}.</source>
      <translation>Input: {preprocessing}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="89"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="579"></location>
      <source>Source: {source}</source>
      <translation>Source: {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="95"></location>
      <source>Assumed: {assumed}.</source>
      <translation>Assumed: {assumed}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="99"></location>
      <source>the result is not meaningful: {nothing}</source>
      <translation>the result is not meaningful: {nothing}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="144"></location>
      <source>outputs</source>
      <translation>outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py" line="277"></location>
      <location filename="inspector/ui/tabs/preview/tab.py" line="494"></location>
      <source>Running…</source>
      <translation>Running…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="38"></location>
      <source>As probabilities (softmax)</source>
      <translation>As probabilities (softmax)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="40"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="234"></location>
      <source>Class names…</source>
      <translation>Class names…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="53"></location>
      <source>The class names come from an output of the model</source>
      <translation>The class names come from an output of the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="79"></location>
      <source>Output text</source>
      <translation>Output text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="141"></location>
      <source>Over time</source>
      <translation>Over time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="142"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="225"></location>
      <source>Heat map</source>
      <translation>Heat map</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="150"></location>
      <source>Similarity</source>
      <translation>Similarity</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="151"></location>
      <source>Scores</source>
      <translation>Scores</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="169"></location>
      <source>View of {name}</source>
      <translation>View of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="173"></location>
      <source>Save output {name}…</source>
      <translation>Save output {name}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="230"></location>
      <source>infinite</source>
      <translation>infinite</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py" line="233"></location>
      <source> · {minimum:.4g} to {maximum:.4g} · mean {mean:.4g}{odd}</source>
      <translation> · {minimum:.4g} to {maximum:.4g} · mean {mean:.4g}{odd}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="39"></location>
      <source>Detections</source>
      <translation>Detections</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="183"></location>
      <source>{count} detected</source>
      <translation>{count} detected</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="185"></location>
      <source>Nothing above this score</source>
      <translation>Nothing above this score</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="189"></location>
      <source>{point_count} above this score</source>
      <translation>{point_count} above this score</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="190"></location>
      <source>point</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln point</numerusform>
        <numerusform>%Ln points</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="193"></location>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="215"></location>
      <source>Dark: {low:.4g} · bright: {high:.4g}</source>
      <translation>Dark: {low:.4g} · bright: {high:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="198"></location>
      <source>Left of the line: before. Right of it: after</source>
      <translation>Left of the line: before. Right of it: after</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="202"></location>
      <source>Boxes</source>
      <translation>Boxes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="203"></location>
      <source>Keypoints</source>
      <translation>Keypoints</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="204"></location>
      <source>Pixels</source>
      <translation>Pixels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="220"></location>
      <source>Decoder</source>
      <translation>Decoder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="223"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="230"></location>
      <source>Score threshold</source>
      <translation>Score threshold</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="224"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="231"></location>
      <source>NMS IoU threshold</source>
      <translation>NMS IoU threshold</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="227"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="229"></location>
      <source>Opacity</source>
      <translation>Opacity</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="235"></location>
      <source>Hide boxes and points with lower scores</source>
      <translation>Hide boxes and points with lower scores</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="238"></location>
      <source>Non-maximum suppression: of two boxes of one class that overlap more than this, only the box with the higher score is kept</source>
      <translation>Non-maximum suppression: of two boxes of one class that overlap more than this, only the box with the higher score is kept</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="242"></location>
      <source>Decoder:</source>
      <translation>Decoder:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py" line="279"></location>
      <source>Decoded output</source>
      <translation>Decoded output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="88"></location>
      <source>row {row}, {name}: {text}</source>
      <translation>row {row}, {name}: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="173"></location>
      <source>Tensor values</source>
      <translation>Tensor values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="258"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="96"></location>
      <source>Infinite</source>
      <translation>Infinite</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="263"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="92"></location>
      <source>Std dev</source>
      <translation>Std dev</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="272"></location>
      <source>No elements.</source>
      <translation>No elements.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="276"></location>
      <source>The first {shown} of {element_count}</source>
      <translation>The first {shown} of {element_count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="277"></location>
      <source>element</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln element</numerusform>
        <numerusform>%Ln elements</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="281"></location>
      <source>Distribution</source>
      <translation>Distribution</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="281"></location>
      <source>Map</source>
      <translation>Map</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="281"></location>
      <source>Summary</source>
      <translation>Summary</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="293"></location>
      <source>Tensor view</source>
      <translation>Tensor view</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="294"></location>
      <source>Index of the tensor in the sequence</source>
      <translation>Index of the tensor in the sequence</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="299"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="97"></location>
      <source>Values of the slice</source>
      <translation>Values of the slice</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="382"></location>
      <source>finite value</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln finite value</numerusform>
        <numerusform>%Ln finite values</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py" line="383"></location>
      <source>No finite values.</source>
      <translation>No finite values.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="34"></location>
      <source>Likely next tokens</source>
      <translation>Likely next tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="36"></location>
      <source>Continue text</source>
      <translation>Continue text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="37"></location>
      <source>Tokens to generate</source>
      <translation>Tokens to generate</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="43"></location>
      <source>tokens</source>
      <translation>tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="79"></location>
      <source> Continue text</source>
      <translation> Continue text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="87"></location>
      <source>with a key-value cache</source>
      <translation>with a key-value cache</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="89"></location>
      <source>without a key-value cache</source>
      <translation>without a key-value cache</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="91"></location>
      <source>; end of text</source>
      <translation>; end of text</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="92"></location>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="101"></location>
      <source>token</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln token</numerusform>
        <numerusform>%Ln tokens</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="94"></location>
      <source>{number}, {each} each, {value}{over}</source>
      <translation>{number}, {each} each, {value}{over}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py" line="100"></location>
      <source>Stopped after {token_count}</source>
      <translation>Stopped after {token_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="145"></location>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="203"></location>
      <source>Values over time</source>
      <translation>Values over time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="149"></location>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="153"></location>
      <source>Threshold</source>
      <translation>Threshold</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="176"></location>
      <source>{steps} of {step_seconds:.4g} ms · mean {mean:.4f}</source>
      <translation>{steps} of {step_seconds:.4g} ms · mean {mean:.4f}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="183"></location>
      <source>span</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln span</numerusform>
        <numerusform>%Ln spans</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="184"></location>
      <source> · {value:.1f}% above the threshold, in {spans}</source>
      <translation> · {value:.1f}% above the threshold, in {spans}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="220"></location>
      <source>Vertical: {rows}. Horizontal: {seconds:.2f} s. {values}</source>
      <translation>Vertical: {rows}. Horizontal: {seconds:.2f} s. {values}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="235"></location>
      <source>Waveform of the output</source>
      <translation>Waveform of the output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="237"></location>
      <source>Save .wav…</source>
      <translation>Save .wav…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="257"></location>
      <source>{count:,} samples, {seconds:.2f} s at an assumed {rate:,} Hz</source>
      <translation>{count:,} samples, {seconds:.2f} s at an assumed {rate:,} Hz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py" line="269"></location>
      <source>Save audio</source>
      <translation>Save audio</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="29"></location>
      <source>Run the model once with these inputs</source>
      <translation>Run the model once with these inputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="46"></location>
      <source>Measured latency</source>
      <translation>Measured latency</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="46"></location>
      <source>Model load</source>
      <translation>Model load</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="85"></location>
      <source>unknown device</source>
      <translation>unknown device</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="86"></location>
      <source>output decoding</source>
      <translation>output decoding</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="86"></location>
      <source>preprocessing</source>
      <translation>preprocessing</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="88"></location>
      <source> (the first time, with one-time setup)</source>
      <translation> (the first time, with one-time setup)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="91"></location>
      <source>{label_text} on {where}</source>
      <translation>{label_text} on {where}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="97"></location>
      <source>once, with cold caches</source>
      <translation>once, with cold caches</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="99"></location>
      <source>in the running engine</source>
      <translation>in the running engine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="126"></location>
      <source>Not a benchmark: press Measure for a latency that you can quote.</source>
      <translation>Not a benchmark: press Measure for a latency that you can quote.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="129"></location>
      <source>Not a benchmark: these are a few runs with this input. The measured latency, {measured}, is noisy, too ({reason}): measure again before you quote it.</source>
      <translation>Not a benchmark: these are a few runs with this input. The measured latency, {measured}, is noisy, too ({reason}): measure again before you quote it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="135"></location>
      <source>Not a benchmark: these are a few runs with this input. The latency to quote is {measured}, the {kind}: see Performance.</source>
      <translation>Not a benchmark: these are a few runs with this input. The latency to quote is {measured}, the {kind}: see Performance.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="152"></location>
      <source>Latency of one step</source>
      <translation>Latency of one step</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="154"></location>
      <source>this run</source>
      <translation>this run</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="156"></location>
      <source>the first call, with cold caches</source>
      <translation>the first call, with cold caches</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="157"></location>
      <source>Warm latency</source>
      <translation>Warm latency</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="192"></location>
      <source>Invert image</source>
      <translation>Invert image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py" line="193"></location>
      <source>Run with light and dark exchanged</source>
      <translation>Run with light and dark exchanged</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_pipeline.py" line="185"></location>
      <source>the output contains NaN, with default inputs: enter values or use a sample</source>
      <translation>the output contains NaN, with default inputs: enter values or use a sample</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/read_outputs.py" line="200"></location>
      <source>Raw outputs</source>
      <translation>Raw outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py" line="29"></location>
      <source>Set the inputs first; the model then runs twice.</source>
      <translation>Set the inputs first; the model then runs twice.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py" line="53"></location>
      <source>Folder</source>
      <translation>Folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py" line="53"></location>
      <source>Result</source>
      <translation>Result</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py" line="54"></location>
      <source>Result view</source>
      <translation>Result view</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="89"></location>
      <source>In {name}, next to the model</source>
      <translation>In {name}, next to the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="91"></location>
      <source>In a copy of the model…</source>
      <translation>In a copy of the model…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="119"></location>
      <source>Copy of the model</source>
      <translation>Copy of the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="155"></location>
      <location filename="inspector/ui/window/tabs.py" line="70"></location>
      <source>Preview</source>
      <translation>Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="294"></location>
      <source>{count:,} class names assumed: {text}</source>
      <translation>{count:,} class names assumed: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="296"></location>
      <source>Class names assumed: {text}, the only known list with {count:,} names.</source>
      <translation>Class names assumed: {text}, the only known list with {count:,} names.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="299"></location>
      <source>{label_count} from {source}</source>
      <translation>{label_count} from {source}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/tab.py" line="300"></location>
      <source>class name</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln class name</numerusform>
        <numerusform>%Ln class names</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="309"></location>
      <source>the model's metadata</source>
      <translation>the model's metadata</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="482"></location>
      <source>Waiting for the measurement to finish.</source>
      <translation>Waiting for the measurement to finish.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="494"></location>
      <source>No result yet.</source>
      <translation>No result yet.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="525"></location>
      <source>Cast to {dtype}</source>
      <translation>Cast to {dtype}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py" line="552"></location>
      <source>Save output</source>
      <translation>Save output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="224"></location>
      <location filename="inspector/ui/window/commands.py" line="212"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="144"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="26"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="128"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="76"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="285"></location>
      <location filename="inspector/ui/window/sidebar.py" line="260"></location>
      <source>Close</source>
      <translation>Close</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="226"></location>
      <source>Common presets</source>
      <translation>Common presets</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="242"></location>
      <source>Top result</source>
      <translation>Top result</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="248"></location>
      <source>Use</source>
      <translation>Use</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="249"></location>
      <source>Use {name}</source>
      <translation>Use {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="268"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="11"></location>
      <source>Check</source>
      <translation>Check</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/preview/trials.py" line="270"></location>
      <location filename="inspector/ui/tabs/preview/trials.py" line="284"></location>
      <source>data set</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln data set</numerusform>
        <numerusform>%Ln data sets</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="270"></location>
      <source>{set_count} next to the model</source>
      <translation>{set_count} next to the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="273"></location>
      <source>Expected outputs</source>
      <translation>Expected outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="286"></location>
      <source>{failed} of {sets} failed</source>
      <translation>{failed} of {sets} failed</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py" line="288"></location>
      <source>Passed: {sets}</source>
      <translation>Passed: {sets}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="34"></location>
      <source>Inferences/s</source>
      <translation>Inferences/s</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="36"></location>
      <source>For consecutive runs: 1 / mean latency</source>
      <translation>For consecutive runs: 1 / mean latency</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="38"></location>
      <source>Peak model memory: how far the peak memory of the process rose above its level before loading</source>
      <translation>Peak model memory: how far the peak memory of the process rose above its level before loading</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="41"></location>
      <source>The 95th percentile of the latency divided by the 5th</source>
      <translation>The 95th percentile of the latency divided by the 5th</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="163"></location>
      <source>Combinations of the sweep</source>
      <translation>Combinations of the sweep</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="166"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="194"></location>
      <source>Filter by any value</source>
      <translation>Filter by any value</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="166"></location>
      <source>Filter combinations</source>
      <translation>Filter combinations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="168"></location>
      <source>Combinations</source>
      <translation>Combinations</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/cell_table.py" line="191"></location>
      <source>{rowcount:,} of {total:,}</source>
      <translation>{rowcount:,} of {total:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="42"></location>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="41"></location>
      <source>Median latency by setting</source>
      <translation>Median latency by setting</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="238"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="103"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="484"></location>
      <source>combination</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln combination</numerusform>
        <numerusform>%Ln combinations</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="240"></location>
      <source>{done:,} of {all_cells} measured</source>
      <translation>{done:,} of {all_cells} measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="244"></location>
      <source>Each cell: {median}, with p5-p95 below; the fastest is outlined</source>
      <translation>Each cell: {median}, with p5-p95 below; the fastest is outlined</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="278"></location>
      <source>Axis {key}</source>
      <translation>Axis {key}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="346"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="41"></location>
      <source>Use these settings</source>
      <translation>Use these settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="370"></location>
      <source>95% CI of the median</source>
      <translation>95% CI of the median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="386"></location>
      <source>less</source>
      <translation>less</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py" line="388"></location>
      <source>{share} {less} time than with the default settings.</source>
      <translation>{share} {less} time than with the default settings.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="32"></location>
      <source>Best settings</source>
      <translation>Best settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="39"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="129"></location>
      <source>Programming language</source>
      <translation>Programming language</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="40"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="90"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="12"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="142"></location>
      <source>Copy</source>
      <translation>Copy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="46"></location>
      <source>Settings as code</source>
      <translation>Settings as code</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="72"></location>
      <source>The search was canceled.</source>
      <translation>The search was canceled.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="77"></location>
      <source>Current step: {step}</source>
      <translation>Current step: {step}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="78"></location>
      <source>About {seconds_left:.0f} s left.</source>
      <translation>About {seconds_left:.0f} s left.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="82"></location>
      <source>Best so far: {leader_text}. {left}</source>
      <translation>Best so far: {leader_text}. {left}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="86"></location>
      <source>Best settings. {text}</source>
      <translation>Best settings. {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="102"></location>
      <source>{combination_count} tried</source>
      <translation>{combination_count} tried</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="106"></location>
      <source>{text}, {failed} of them failed.</source>
      <translation>{text}, {failed} of them failed.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="113"></location>
      <source>“Run sweep” measures every combination of the values selected above, each in new processes. “Find best settings” searches for the fastest settings for one minute.</source>
      <translation>“Run sweep” measures every combination of the values selected above, each in new processes. “Find best settings” searches for the fastest settings for one minute.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="126"></location>
      <source>No sweep yet</source>
      <translation>No sweep yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="150"></location>
      <source>, measuring the fastest again</source>
      <translation>, measuring the fastest again</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="151"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="484"></location>
      <source>measurement</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln measurement</numerusform>
        <numerusform>%Ln measurements</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="155"></location>
      <source>{done:,} of {whole} done{last}{time}</source>
      <translation>{done:,} of {whole} done{last}{time}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="160"></location>
      <source>Running sweep: {done} of {done_2}{time}</source>
      <translation>Running sweep: {done} of {done_2}{time}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="169"></location>
      <source>Sweep stopped early</source>
      <translation>Sweep stopped early</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="205"></location>
      <source>Fastest: {settings_label}</source>
      <translation>Fastest: {settings_label}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="214"></location>
      <source>{median}; 95% CI {durations}, {count} {value}.</source>
      <translation>{median}; 95% CI {durations}, {count} {value}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="218"></location>
      <source>process</source>
      <translation>process</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py" line="218"></location>
      <source>processes</source>
      <translation>processes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="130"></location>
      <source>Add models…</source>
      <translation>Add models…</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="143"></location>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="140"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="257"></location>
      <source>model</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln model</numerusform>
        <numerusform>%Ln models</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="167"></location>
      <source>is included</source>
      <translation>is included</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="167"></location>
      <source>is included; click to remove it</source>
      <translation>is included; click to remove it</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="179"></location>
      <source>Add models to the sweep</source>
      <translation>Add models to the sweep</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="196"></location>
      <source>Cannot be changed while a sweep runs</source>
      <translation>Cannot be changed while a sweep runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="197"></location>
      <source>Requires the parallel execution mode</source>
      <translation>Requires the parallel execution mode</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="325"></location>
      <source>same as in Settings</source>
      <translation>same as in Settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="333"></location>
      <source>Fewer settings </source>
      <translation>Fewer settings </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="333"></location>
      <source>More settings </source>
      <translation>More settings </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="411"></location>
      <source>Processes per combination</source>
      <translation>Processes per combination</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="412"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="455"></location>
      <source>Runs per process</source>
      <translation>Runs per process</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="415"></location>
      <source>Run sweep</source>
      <translation>Run sweep</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="416"></location>
      <source>Resume</source>
      <translation>Resume</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="418"></location>
      <source>Find best settings</source>
      <translation>Find best settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="442"></location>
      <source>Also measure 1, 2 and 4 concurrent runs</source>
      <translation>Also measure 1, 2 and 4 concurrent runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="485"></location>
      <source>Cannot be changed while the sweep runs</source>
      <translation>Cannot be changed while the sweep runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py" line="495"></location>
      <source> Resume, {left} left</source>
      <translation> Resume, {left} left</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot.py" line="62"></location>
      <source>{y} by {x}. {text}</source>
      <translation>{y} by {x}. {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="30"></location>
      <source>Latency by setting</source>
      <translation>Latency by setting</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="44"></location>
      <source>Dots: median</source>
      <translation>Dots: median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="46"></location>
      <source>{median}. Bars: p5 to p95 (long bars are cut off)</source>
      <translation>{median}. Bars: p5 to p95 (long bars are cut off)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="68"></location>
      <source>Throughput, measured</source>
      <translation>Throughput, measured</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="79"></location>
      <source>Latency vs. throughput</source>
      <translation>Latency vs. throughput</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="97"></location>
      <source>Add reports…</source>
      <translation>Add reports…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="125"></location>
      <source>Add reports</source>
      <translation>Add reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="127"></location>
      <source>Reports (*.json)</source>
      <translation>Reports (*.json)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="136"></location>
      <source>Latency by model size</source>
      <translation>Latency by model size</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_cards.py" line="143"></location>
      <source>Filled: Pareto-optimal. No other model is as good in size, speed and accuracy and better in one of them ({value})</source>
      <translation>Filled: Pareto-optimal. No other model is as good in size, speed and accuracy and better in one of them ({value})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_menu.py" line="37"></location>
      <source>Save image…</source>
      <translation>Save image…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_menu.py" line="38"></location>
      <source>Copy image</source>
      <translation>Copy image</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/view.py" line="127"></location>
      <source>Throughput: {text}</source>
      <translation>Throughput: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="41"></location>
      <source>Total</source>
      <translation>Total</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="42"></location>
      <source>Self</source>
      <translation>Self</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="48"></location>
      <source>% of self time</source>
      <translation>% of self time</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="68"></location>
      <source>Number of events</source>
      <translation>Number of events</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="70"></location>
      <source>Sum of the durations within the selected time range; nested events of the same name count once</source>
      <translation>Sum of the durations within the selected time range; nested events of the same name count once</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="73"></location>
      <source>Total time minus the time of nested events, in any row</source>
      <translation>Total time minus the time of nested events, in any row</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="75"></location>
      <source>Mean duration; this column and the following ones use entire events, not clipped ones</source>
      <translation>Mean duration; this column and the following ones use entire events, not clipped ones</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="77"></location>
      <source>Shortest duration</source>
      <translation>Shortest duration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="78"></location>
      <source>Median duration</source>
      <translation>Median duration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="79"></location>
      <source>95th percentile of the duration</source>
      <translation>95th percentile of the duration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="80"></location>
      <source>Longest duration</source>
      <translation>Longest duration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="82"></location>
      <source>Share of the self time of all events, including filtered-out ones</source>
      <translation>Share of the self time of all events, including filtered-out ones</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="307"></location>
      <source>Filter by event, operator or track</source>
      <translation>Filter by event, operator or track</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="325"></location>
      <location filename="inspector/ui/timeline/widget/card.py" line="216"></location>
      <source>By {value}</source>
      <translation>By {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="325"></location>
      <source>Group by</source>
      <translation>Group by</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="328"></location>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="332"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="120"></location>
      <source>Events</source>
      <translation>Events</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="330"></location>
      <source>Filter events</source>
      <translation>Filter events</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="362"></location>
      <source>{shown:,} of {all_of_them:,}</source>
      <translation>{shown:,} of {all_of_them:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="367"></location>
      <source> · in the selected {duration}</source>
      <translation> · in the selected {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py" line="405"></location>
      <source>Grouping {count:,} events…</source>
      <translation>Grouping {count:,} events…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="49"></location>
      <source>Show all {count}</source>
      <translation>Show all {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="51"></location>
      <source>{text} findings</source>
      <translation>{text} findings</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/findings_list.py" line="65"></location>
      <source>Show events: {sentence}</source>
      <translation>Show events: {sentence}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="33"></location>
      <source>The program runs unchanged under its own Python (3.11 or later). Inspector records its ONNX Runtime calls, and those of the Python programs that it starts.</source>
      <translation>The program runs unchanged under its own Python (3.11 or later). Inspector records its ONNX Runtime calls, and those of the Python programs that it starts.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="48"></location>
      <source>Record a program — Inspector</source>
      <translation>Record a program — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="50"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="51"></location>
      <source>Choose…</source>
      <translation>Choose…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="52"></location>
      <source>Profile the layers in the first</source>
      <translation>Profile the layers in the first</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="53"></location>
      <source>Number of profiled runs</source>
      <translation>Number of profiled runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="59"></location>
      <source>Stop</source>
      <translation>Stop</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="108"></location>
      <source>Recordings folder</source>
      <translation>Recordings folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="109"></location>
      <source>Choose the recordings folder</source>
      <translation>Choose the recordings folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="110"></location>
      <source>python app.py</source>
      <translation>python app.py</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="111"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="129"></location>
      <source>Command line</source>
      <translation>Command line</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="112"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="130"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="151"></location>
      <source>Working folder</source>
      <translation>Working folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="113"></location>
      <source>Profile layers</source>
      <translation>Profile layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="117"></location>
      <source>Program output</source>
      <translation>Program output</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="119"></location>
      <source>The output of the program appears here.</source>
      <translation>The output of the program appears here.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="132"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="154"></location>
      <source>Save recording in</source>
      <translation>Save recording in</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="134"></location>
      <source>runs of each session</source>
      <translation>runs of each session</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="174"></location>
      <source> Force quit</source>
      <translation> Force quit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="175"></location>
      <source>Recording</source>
      <translation>Recording</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="175"></location>
      <source>Stopping</source>
      <translation>Stopping</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="177"></location>
      <source>{action}: {name}</source>
      <translation>{action}: {name}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/trace/record_dialog.py" line="180"></location>
      <source>call</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln call</numerusform>
        <numerusform>%Ln calls</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="22"></location>
      <source>Launched</source>
      <translation>Launched</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="22"></location>
      <source>Launched by</source>
      <translation>Launched by</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="23"></location>
      <source>Required</source>
      <translation>Required</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="24"></location>
      <source>Follows from</source>
      <translation>Follows from</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="24"></location>
      <source>Leads to</source>
      <translation>Leads to</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="43"></location>
      <source>no nested events</source>
      <translation>no nested events</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="45"></location>
      <source>self {duration}</source>
      <translation>self {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="62"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="31"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="113"></location>
      <source>Start</source>
      <translation>Start</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="63"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="113"></location>
      <source>End</source>
      <translation>End</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="68"></location>
      <source>{name}, depth {depth}</source>
      <translation>{name}, depth {depth}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="73"></location>
      <source>Process</source>
      <translation>Process</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="77"></location>
      <source>Parent</source>
      <translation>Parent</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="121"></location>
      <source>Tracks</source>
      <translation>Tracks</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="122"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="30"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="164"></location>
      <source>Duration</source>
      <translation>Duration</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="137"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="187"></location>
      <source>Flow arrows</source>
      <translation>Flow arrows</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="140"></location>
      <source>Select an event in the timeline or the table to see its details.</source>
      <translation>Select an event in the timeline or the table to see its details.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="149"></location>
      <source>unnamed model</source>
      <translation>unnamed model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="154"></location>
      <source>Runs of {model}</source>
      <translation>Runs of {model}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="159"></location>
      <source>{whole} across {count:,} models</source>
      <translation>{whole} across {count:,} models</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="173"></location>
      <source>1 of {count:,} similar events · longer than {slower:.0%} of them</source>
      <translation>1 of {count:,} similar events · longer than {slower:.0%} of them</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="176"></location>
      <source>median {duration}</source>
      <translation>median {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py" line="201"></location>
      <source>and {count:,} more</source>
      <translation>and {count:,} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py" line="23"></location>
      <source>Select an event to see its details. Shift-drag to select a time range; the table then covers only that range.</source>
      <translation>Select an event to see its details. Shift-drag to select a time range; the table then covers only that range.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py" line="162"></location>
      <source>The timeline shows {most} of {most_2:,} tracks; the table includes all.</source>
      <translation>The timeline shows {most} of {most_2:,} tracks; the table includes all.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py" line="169"></location>
      <source>The timeline shows up to {deepest} levels per track; the table includes all.</source>
      <translation>The timeline shows up to {deepest} levels per track; the table includes all.</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/trace/tab.py" line="173"></location>
      <source>more note</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln more note</numerusform>
        <numerusform>%Ln more notes</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py" line="174"></location>
      <source>And {rest}.</source>
      <translation>And {rest}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/trace_export.py" line="37"></location>
      <source>Export trace</source>
      <translation>Export trace</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/trace_export.py" line="95"></location>
      <location filename="inspector/ui/timeline/widget/card.py" line="192"></location>
      <location filename="inspector/ui/timeline/widget/card.py" line="348"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="168"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="11"></location>
      <source>Timeline</source>
      <translation>Timeline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/heat_map.py" line="93"></location>
      <source>Heat map of the slice</source>
      <translation>Heat map of the slice</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/heat_map.py" line="104"></location>
      <source>{rows} rows, {columns} columns, from {low:.4g} to {top:.4g}</source>
      <translation>{rows} rows, {columns} columns, from {low:.4g} to {top:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="30"></location>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="38"></location>
      <source>Rows</source>
      <translation>Rows</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="31"></location>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="39"></location>
      <source>Columns</source>
      <translation>Columns</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="55"></location>
      <source>1 of every {down} rows</source>
      <translation>1 of every {down} rows</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="57"></location>
      <source>1 of every {across} columns</source>
      <translation>1 of every {across} columns</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="59"></location>
      <source>Showing {skipped}.</source>
      <translation>Showing {skipped}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="74"></location>
      <source>Axis {axis}</source>
      <translation>Axis {axis}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="125"></location>
      <source>axis {axis}</source>
      <translation>axis {axis}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="127"></location>
      <source>{text} of the slice</source>
      <translation>{text} of the slice</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="137"></location>
      <source>Index on axis {axis}</source>
      <translation>Index on axis {axis}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py" line="139"></location>
      <source>0 to {length:,}</source>
      <translation>0 to {length:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="31"></location>
      <source>Duplicate tensors</source>
      <translation>Duplicate tensors</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="31"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="328"></location>
      <source>Tensors</source>
      <translation>Tensors</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/weights/tab.py" line="44"></location>
      <source>constant</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln constant</numerusform>
        <numerusform>%Ln constants</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="45"></location>
      <source>{problems:,} unreadable</source>
      <translation>{problems:,} unreadable</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="46"></location>
      <source>all initializers</source>
      <translation>all initializers</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="46"></location>
      <source>no tensors in this model</source>
      <translation>no tensors in this model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="59"></location>
      <source>all in the model file</source>
      <translation>all in the model file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="59"></location>
      <location filename="inspector/ui/tabs/weights/tab.py" line="77"></location>
      <source>no readable tensors</source>
      <translation>no readable tensors</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="63"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="285"></location>
      <source> and {count:,} more</source>
      <translation> and {count:,} more</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="65"></location>
      <source> next to the model</source>
      <translation> next to the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="77"></location>
      <source>load all tensors to find duplicates</source>
      <translation>load all tensors to find duplicates</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="82"></location>
      <source>{size} of identical values</source>
      <translation>{size} of identical values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="84"></location>
      <source>all tensors are distinct</source>
      <translation>all tensors are distinct</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="114"></location>
      <source>{name} contains no tensors.</source>
      <translation>{name} contains no tensors.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py" line="119"></location>
      <source>Listing the tensors…</source>
      <translation>Listing the tensors…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/value_histogram.py" line="28"></location>
      <source>Value distribution</source>
      <translation>Value distribution</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/value_histogram.py" line="38"></location>
      <source>{count} bars from {low:.4g} to {high:.4g}; the highest from {begin:.4g} to {begin_2:.4g}</source>
      <translation>{count} bars from {low:.4g} to {high:.4g}; the highest from {begin:.4g} to {begin_2:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="45"></location>
      <source>All slices</source>
      <translation>All slices</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="45"></location>
      <source>Scales</source>
      <translation>Scales</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="47"></location>
      <source>As stored</source>
      <translation>As stored</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="47"></location>
      <source>Real values</source>
      <translation>Real values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="78"></location>
      <source>Values of {name} — Inspector</source>
      <translation>Values of {name} — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="85"></location>
      <source>View of the values</source>
      <translation>View of the values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="87"></location>
      <source>Values to show</source>
      <translation>Values to show</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="88"></location>
      <source>Reading…</source>
      <translation>Reading…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="91"></location>
      <source>Copy the selected cells, or the whole slice</source>
      <translation>Copy the selected cells, or the whole slice</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="92"></location>
      <source>Save as CSV…</source>
      <translation>Save as CSV…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="99"></location>
      <source>Scales and zero points</source>
      <translation>Scales and zero points</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="165"></location>
      <source>Save as CSV</source>
      <translation>Save as CSV</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="200"></location>
      <source>Scale</source>
      <translation>Scale</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="200"></location>
      <source>Zero point</source>
      <translation>Zero point</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="251"></location>
      <source>scales {low:.4g} to {high:.4g}</source>
      <translation>scales {low:.4g} to {high:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="253"></location>
      <source>scale {low:.4g}</source>
      <translation>scale {low:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="256"></location>
      <source>real value = scale × (stored − zero point)</source>
      <translation>real value = scale × (stored − zero point)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="278"></location>
      <source>Heat maps of all slices</source>
      <translation>Heat maps of all slices</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="296"></location>
      <source>{shown:,} slices on one scale</source>
      <translation>{shown:,} slices on one scale</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="298"></location>
      <source>the first {shown:,} of {every:,} slices on one scale</source>
      <translation>the first {shown:,} of {every:,} slices on one scale</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="329"></location>
      <source>Row, column</source>
      <translation>Row, column</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py" line="329"></location>
      <source>Slice</source>
      <translation>Slice</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="61"></location>
      <source>Not used by any layer</source>
      <translation>Not used by any layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="68"></location>
      <source>and {layers}</source>
      <translation>and {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="76"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="417"></location>
      <source>Show this layer</source>
      <translation>Show this layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="78"></location>
      <source>Select layer {label}</source>
      <translation>Select layer {label}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="100"></location>
      <source>Selected tensor</source>
      <translation>Selected tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="133"></location>
      <source>Select a tensor to see its statistics and values.</source>
      <translation>Select a tensor to see its statistics and values.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="152"></location>
      <source>Save as .npy…</source>
      <translation>Save as .npy…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="160"></location>
      <source>Show all values…</source>
      <translation>Show all values…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="166"></location>
      <source>Too large to show as a whole: save it as .npy</source>
      <translation>Too large to show as a whole: save it as .npy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="194"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="75"></location>
      <source>After loading</source>
      <translation>After loading</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="245"></location>
      <source>First values</source>
      <translation>First values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="262"></location>
      <source>Loading the tensor</source>
      <translation>Loading the tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="271"></location>
      <source>Load {size}</source>
      <translation>Load {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="274"></location>
      <source>Not loaded yet: opening a model does not load its weights.</source>
      <translation>Not loaded yet: opening a model does not load its weights.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="289"></location>
      <source>Identical to {names}{more}.</source>
      <translation>Identical to {names}{more}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="314"></location>
      <source>Save tensor</source>
      <translation>Save tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py" line="323"></location>
      <source>Saved {name} to {parent}</source>
      <translation>Saved {name} to {parent}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="21"></location>
      <source>sparse initializer</source>
      <translation>sparse initializer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="22"></location>
      <source>Constant node</source>
      <translation>Constant node</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="32"></location>
      <source>, {share} of all weights</source>
      <translation>, {share} of all weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="38"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="688"></location>
      <source>Elements</source>
      <translation>Elements</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="40"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="40"></location>
      <source>Location</source>
      <translation>Location</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="46"></location>
      <source>Stored</source>
      <translation>Stored</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="47"></location>
      <source>{stored:,} non-zero values (sparse)</source>
      <translation>{stored:,} non-zero values (sparse)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="51"></location>
      <source>Stored in ONNX field</source>
      <translation>Stored in ONNX field</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="52"></location>
      <source>Origin</source>
      <translation>Origin</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="64"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="42"></location>
      <source>Stored as</source>
      <translation>Stored as</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="68"></location>
      <source>Saves</source>
      <translation>Saves</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="68"></location>
      <source>{share} than {size}</source>
      <translation>{share} than {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="72"></location>
      <source>{saving}: {size} in that form</source>
      <translation>{saving}: {size} in that form</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="73"></location>
      <source>Saving</source>
      <translation>Saving</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="81"></location>
      <source>more than {most_distinct:,}</source>
      <translation>more than {most_distinct:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="85"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="94"></location>
      <source>Distinct values</source>
      <translation>Distinct values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="85"></location>
      <source>Empty</source>
      <translation>Empty</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="103"></location>
      <source>Contains NaN or infinite values, so outputs may become NaN.</source>
      <translation>Contains NaN or infinite values, so outputs may become NaN.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="105"></location>
      <source>All values are equal.</source>
      <translation>All values are equal.</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="114"></location>
      <source>bit</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln bit</numerusform>
        <numerusform>%Ln bits</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py" line="116"></location>
      <source>Few distinct values: a palette would store them in {size} per element instead of {bits}.</source>
      <translation>Few distinct values: a palette would store them in {size} per element instead of {bits}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="39"></location>
      <source>Share</source>
      <translation>Share</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="101"></location>
      <source>no values</source>
      <translation>no values</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="102"></location>
      <source>the model file</source>
      <translation>the model file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="103"></location>
      <source>, byte offset</source>
      <translation>, byte offset</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="110"></location>
      <source>no layer</source>
      <translation>no layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="305"></location>
      <source>Filter by name, type or file</source>
      <translation>Filter by name, type or file</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="325"></location>
      <source>Filter weights</source>
      <translation>Filter weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="332"></location>
      <source>Load all</source>
      <translation>Load all</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="336"></location>
      <source>Loading all tensors</source>
      <translation>Loading all tensors</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="417"></location>
      <source>Statistics loaded for {read:,} of {every:,} tensors</source>
      <translation>Statistics loaded for {read:,} of {every:,} tensors</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py" line="421"></location>
      <source>{text} · {refused:,} unreadable</source>
      <translation>{text} · {refused:,} unreadable</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py" line="31"></location>
      <source>kind of event</source>
      <translation>kind of event</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py" line="179"></location>
      <source>Unnamed model</source>
      <translation>Unnamed model</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py" line="180"></location>
      <source>Unnamed thread</source>
      <translation>Unnamed thread</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py" line="278"></location>
      <source>counter
{process}
{name}</source>
      <translation>counter
{process}
{name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="204"></location>
      <source>Median of {run_count}</source>
      <translation>Median of {run_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="206"></location>
      <source>{plain:,} not profiled</source>
      <translation>{plain:,} not profiled</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="208"></location>
      <source>, excluding {left_out}</source>
      <translation>, excluding {left_out}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="211"></location>
      <source>{profiled} with the profiler, {plain} without</source>
      <translation>{profiled} with the profiler, {plain} without</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="222"></location>
      <source>p25 to p75</source>
      <translation>p25 to p75</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="224"></location>
      <source>Median start</source>
      <translation>Median start</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="227"></location>
      <source>{seen:,} of {runs:,}</source>
      <translation>{seen:,} of {runs:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py" line="339"></location>
      <source>{duration} to {duration_2}</source>
      <translation>{duration} to {duration_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py" line="56"></location>
      <source>first {warm} runs</source>
      <translation>first {warm} runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py" line="99"></location>
      <source>later runs were</source>
      <translation>later runs were</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py" line="102"></location>
      <source>the next one was</source>
      <translation>the next one was</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py" line="104"></location>
      <source>the next {count:,} were</source>
      <translation>the next {count:,} were</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py" line="107"></location>
      <source>Profiling stopped after run {after:,}; {which} timed without the profiler</source>
      <translation>Profiling stopped after run {after:,}; {which} timed without the profiler</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="8"></location>
      <source>No event selected; press [ or ] to step through events</source>
      <translation>No event selected; press [ or ] to step through events</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="10"></location>
      <source>Runtime call</source>
      <translation>Runtime call</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="13"></location>
      <source>Cast</source>
      <translation>Cast</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="14"></location>
      <source>Layout conversion</source>
      <translation>Layout conversion</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="15"></location>
      <source>Kernel</source>
      <translation>Kernel</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="16"></location>
      <source>Partition</source>
      <translation>Partition</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="18"></location>
      <source>Device wait and copy</source>
      <translation>Device wait and copy</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="32"></location>
      <source>Kind</source>
      <translation>Kind</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="45"></location>
      <source>Copied</source>
      <translation>Copied</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py" line="51"></location>
      <source>Overlaps</source>
      <translation>Overlaps</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/timeline/model/span_facts.py" line="51"></location>
      <source>shorter event</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln shorter event</numerusform>
        <numerusform>%Ln shorter events</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/trace_indexing.py" line="34"></location>
      <source>{name}: {count:,} events</source>
      <translation>{name}: {count:,} events</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/trace_indexing.py" line="35"></location>
      <source>{many}, indexing</source>
      <translation>{many}, indexing</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/trace_indexing.py" line="37"></location>
      <source>{many}; analyzing</source>
      <translation>{many}; analyzing</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/render/canvas.py" line="108"></location>
      <source>idle for {duration}</source>
      <translation>idle for {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/render/time_axis.py" line="32"></location>
      <source>Time axis</source>
      <translation>Time axis</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="86"></location>
      <source>Pinned rows of the timeline</source>
      <translation>Pinned rows of the timeline</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="119"></location>
      <source>Sorting {count:,} events…</source>
      <translation>Sorting {count:,} events…</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="130"></location>
      <source>Computing the median run…</source>
      <translation>Computing the median run…</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="183"></location>
      <source>Group by lane</source>
      <translation>Group by lane</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="184"></location>
      <source>All runs</source>
      <translation>All runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="184"></location>
      <source>Median run</source>
      <translation>Median run</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="185"></location>
      <source>Runs shown</source>
      <translation>Runs shown</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="186"></location>
      <source>Zoom out (S or Ctrl+wheel)</source>
      <translation>Zoom out (S or Ctrl+wheel)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="187"></location>
      <source>Zoom in (W or Ctrl+wheel)</source>
      <translation>Zoom in (W or Ctrl+wheel)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="188"></location>
      <source>Zoom to the full trace (F)</source>
      <translation>Zoom to the full trace (F)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="214"></location>
      <source>By event type</source>
      <translation>By event type</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="223"></location>
      <source>Median times of all runs</source>
      <translation>Median times of all runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="228"></location>
      <source>Runs, memory and CPU load</source>
      <translation>Runs, memory and CPU load</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="232"></location>
      <source>Compute units only</source>
      <translation>Compute units only</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="236"></location>
      <source>Collapse all</source>
      <translation>Collapse all</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="237"></location>
      <source>Expand all</source>
      <translation>Expand all</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="284"></location>
      <source>by event</source>
      <translation>by event</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="286"></location>
      <source>by {value}</source>
      <translation>by {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="289"></location>
      <location filename="inspector/ui/timeline/widget/card.py" line="293"></location>
      <source>Group {by}</source>
      <translation>Group {by}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="301"></location>
      <source>Counting…</source>
      <translation>Counting…</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="333"></location>
      <source>No events were recorded</source>
      <translation>No events were recorded</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="344"></location>
      <source>{part} of {whole}</source>
      <translation>{part} of {whole}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py" line="360"></location>
      <source>{plain} without profiler</source>
      <translation>{plain} without profiler</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="97"></location>
      <source>Max in visible range</source>
      <translation>Max in visible range</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="99"></location>
      <source>Busy in visible range</source>
      <translation>Busy in visible range</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="107"></location>
      <source>At</source>
      <translation>At</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="114"></location>
      <source>Idle for {duration}</source>
      <translation>Idle for {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="376"></location>
      <source>Zoom to this layer</source>
      <translation>Zoom to this layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="379"></location>
      <source>Collapse</source>
      <translation>Collapse</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="381"></location>
      <source>Pin to top</source>
      <translation>Pin to top</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="381"></location>
      <source>Unpin</source>
      <translation>Unpin</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="384"></location>
      <source>A heading cannot be pinned; pin its lanes</source>
      <translation>A heading cannot be pinned; pin its lanes</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py" line="483"></location>
      <source>, collapsed</source>
      <translation>, collapsed</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/overview_strip.py" line="134"></location>
      <location filename="inspector/ui/timeline/widget/overview_strip.py" line="258"></location>
      <source>Full trace</source>
      <translation>Full trace</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/overview_strip.py" line="231"></location>
      <source>Not profiled</source>
      <translation>Not profiled</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="116"></location>
      <source>{model}: {text} (warm-up)</source>
      <translation>{model}: {text} (warm-up)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="116"></location>
      <source>{text} (warm-up)</source>
      <translation>{text} (warm-up)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="166"></location>
      <source>slower than later runs</source>
      <translation>slower than later runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="169"></location>
      <source>Run {at:,} of {count:,}</source>
      <translation>Run {at:,} of {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py" line="240"></location>
      <source>{at:,} warm-up</source>
      <translation>{at:,} warm-up</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="86"></location>
      <source>{duration} selected</source>
      <translation>{duration} selected</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="166"></location>
      <source>Selected time range</source>
      <translation>Selected time range</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="190"></location>
      <source>Busy time by lane, % of selection</source>
      <translation>Busy time by lane, % of selection</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="191"></location>
      <source>Time by layer, % of selection</source>
      <translation>Time by layer, % of selection</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py" line="234"></location>
      <source>Total time</source>
      <translation>Total time</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="43"></location>
      <source>Find an event, operator or layer</source>
      <translation>Find an event, operator or layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="45"></location>
      <location filename="inspector/ui/window/commands.py" line="252"></location>
      <source>Find</source>
      <translation>Find</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="45"></location>
      <source>Find in the timeline</source>
      <translation>Find in the timeline</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="48"></location>
      <source>Previous match (Shift+Enter)</source>
      <translation>Previous match (Shift+Enter)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="78"></location>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="100"></location>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="119"></location>
      <source>Searching…</source>
      <translation>Searching…</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="123"></location>
      <source>No matches</source>
      <translation>No matches</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="126"></location>
      <source>match</source>
      <translation>match</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="126"></location>
      <source>matches</source>
      <translation>matches</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py" line="128"></location>
      <source>{number:,} of {count:,}</source>
      <translation>{number:,} of {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py" line="55"></location>
      <source>{text}…</source>
      <translation>{text}…</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py" line="76"></location>
      <source>about {time} left</source>
      <translation>about {time} left</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/bars.py" line="170"></location>
      <source>{count} others</source>
      <translation>{count} others</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="16"></location>
      <source>measure again with all optimizations</source>
      <translation>measure again with all optimizations</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="19"></location>
      <source>measure again with “Optimization” set to “Extended”</source>
      <translation>measure again with “Optimization” set to “Extended”</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="28"></location>
      <source>measure again with “I/O binding” set to “Inputs and outputs”; in your program, use IoBinding</source>
      <translation>measure again with “I/O binding” set to “Inputs and outputs”; in your program, use IoBinding</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="34"></location>
      <source>measure again with “Load from” set to “File”, and compare the memory</source>
      <translation>measure again with “Load from” set to “File”, and compare the memory</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="38"></location>
      <source>measure again with “Load from” set to “Re-serialized copy”</source>
      <translation>measure again with “Load from” set to “Re-serialized copy”</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="40"></location>
      <source>measure again with</source>
      <translation>measure again with</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="41"></location>
      <source>measure again and compare the two reports</source>
      <translation>measure again and compare the two reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="44"></location>
      <source>Remove them from “Forced to CPU” in the settings</source>
      <translation>Remove them from “Forced to CPU” in the settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="49"></location>
      <source>Set other sizes for dynamic axes, or other input values, in Preview</source>
      <translation>Set other sizes for dynamic axes, or other input values, in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="53"></location>
      <source>choose the library that provides it</source>
      <translation>choose the library that provides it</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="56"></location>
      <source> in Preview</source>
      <translation> in Preview</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="60"></location>
      <source>different values or different sizes of dynamic axes</source>
      <translation>different values or different sizes of dynamic axes</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="64"></location>
      <source>“Compatibility check” in Overview shows</source>
      <translation>“Compatibility check” in Overview shows</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="66"></location>
      <source>Overview lists the names</source>
      <translation>Overview lists the names</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="70"></location>
      <source>; set a different one next to the inputs.</source>
      <translation>; set a different one next to the inputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="73"></location>
      <source>Set the sizes of the dynamic axes in the settings</source>
      <translation>Set the sizes of the dynamic axes in the settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="81"></location>
      <source> (“Processes” in the Performance settings)</source>
      <translation> (“Processes” in the Performance settings)</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="87"></location>
      <source>Choose a device in the settings</source>
      <translation>Choose a device in the settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py" line="88"></location>
      <source>The Performance settings list them</source>
      <translation>The Performance settings list them</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="27"></location>
      <source>Compare models…</source>
      <translation>Compare models…</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="29"></location>
      <source>Graphs, weights and metadata of two open models, side by side</source>
      <translation>Graphs, weights and metadata of two open models, side by side</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="32"></location>
      <location filename="inspector/ui/window/commands.py" line="206"></location>
      <source>Compare reports…</source>
      <translation>Compare reports…</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="34"></location>
      <source>Measured latency of two open reports, in total and layer by layer</source>
      <translation>Measured latency of two open reports, in total and layer by layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="37"></location>
      <source>Compare outputs…</source>
      <translation>Compare outputs…</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="39"></location>
      <source>Outputs for the same input with another device, model or setting</source>
      <translation>Outputs for the same input with another device, model or setting</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="42"></location>
      <source>Compare layers…</source>
      <translation>Compare layers…</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="43"></location>
      <source>Layer outputs</source>
      <translation>Layer outputs</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="44"></location>
      <source>Output of every layer, to find the first one that differs between two runs</source>
      <translation>Output of every layer, to find the first one that differs between two runs</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py" line="60"></location>
      <source>Also compare</source>
      <translation>Also compare</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/failure.py" line="28"></location>
      <source>Try again</source>
      <translation>Try again</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/failure.py" line="31"></location>
      <location filename="inspector/ui/widgets/notice.py" line="105"></location>
      <source>Close this message</source>
      <translation>Close this message</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py" line="126"></location>
      <source>{count} of {tried} files could not be opened</source>
      <translation>{count} of {tried} files could not be opened</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py" line="337"></location>
      <source>Could not open the folder of {name}</source>
      <translation>Could not open the folder of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py" line="338"></location>
      <source>No file manager was found. The file is in {folder}.</source>
      <translation>No file manager was found. The file is in {folder}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/parts.py" line="335"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="11"></location>
      <source>Tabs</source>
      <translation>Tabs</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/small_charts.py" line="96"></location>
      <source>{count} from {low} to {high}</source>
      <translation>{count} from {low} to {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/small_charts.py" line="120"></location>
      <source>Time of each run</source>
      <translation>Time of each run</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/support_legend.py" line="108"></location>
      <source>Markers</source>
      <translation>Markers</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table.py" line="44"></location>
      <source>No rows match the filter.</source>
      <translation>No rows match the filter.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table.py" line="398"></location>
      <source>Row titles</source>
      <translation>Row titles</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="18"></location>
      <source>conv relu: layers that contain all of these words; -relu: layers without it</source>
      <translation>conv relu: layers that contain all of these words; -relu: layers without it</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="19"></location>
      <source>op:Conv, name:head*, type:float16: operator, name, type; * is any text</source>
      <translation>op:Conv, name:head*, type:float16: operator, name, type; * is any text</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="20"></location>
      <source>1x*x122x122: shape of an output or a weight; ... is any number of axes</source>
      <translation>1x*x122x122: shape of an output or a weight; ... is any number of axes</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="21"></location>
      <source>conv 3x3: convolutions with a kernel of that size</source>
      <translation>conv 3x3: convolutions with a kernel of that size</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="22"></location>
      <source>group=32: an attribute; also !=, &lt;, &lt;=, &gt; and &gt;=</source>
      <translation>group=32: an attribute; also !=, &lt;, &lt;=, &gt; and &gt;=</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="23"></location>
      <source>/conv[0-9]+$/: a regular expression</source>
      <translation>/conv[0-9]+$/: a regular expression</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="24"></location>
      <source>MatMul -&gt; * -&gt; Softmax: layers in a row; * is any one layer, ... any number of them</source>
      <translation>MatMul -&gt; * -&gt; Softmax: layers in a row; * is any one layer, ... any number of them</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="121"></location>
      <source>Search</source>
      <translation>Search</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="238"></location>
      <source>Show only the first {first}</source>
      <translation>Show only the first {first}</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="241"></location>
      <source>Show all {total:,} {noun}</source>
      <translation>Show all {total:,} {noun}</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py" line="245"></location>
      <source>Show {step} more of {total:,} {noun}</source>
      <translation>Show {step} more of {total:,} {noun}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py" line="91"></location>
      <source>Commands</source>
      <translation>Commands</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py" line="94"></location>
      <source>Type a command</source>
      <translation>Type a command</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py" line="95"></location>
      <source>Command</source>
      <translation>Command</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py" line="98"></location>
      <source>Matching commands</source>
      <translation>Matching commands</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="157"></location>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="53"></location>
      <source>User guide</source>
      <translation>User guide</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="158"></location>
      <source>Find a command…</source>
      <translation>Find a command…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="160"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="40"></location>
      <source>Keyboard shortcuts</source>
      <translation>Keyboard shortcuts</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="164"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="56"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="79"></location>
      <source>Glossary</source>
      <translation>Glossary</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="165"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="108"></location>
      <source>About Inspector</source>
      <translation>About Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="168"></location>
      <source>&amp;File</source>
      <translation>&amp;File</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="169"></location>
      <source>&amp;View</source>
      <translation>&amp;View</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="170"></location>
      <source>&amp;Model</source>
      <translation>&amp;Model</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="171"></location>
      <source>&amp;Help</source>
      <translation>&amp;Help</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="194"></location>
      <source>Open recent</source>
      <translation>Open recent</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="195"></location>
      <source>Open from library</source>
      <translation>Open from library</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="196"></location>
      <location filename="inspector/ui/window/top_bar.py" line="236"></location>
      <source>Report history…</source>
      <translation>Report history…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="198"></location>
      <source>Open URL…</source>
      <translation>Open URL…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="199"></location>
      <source>Open path from clipboard</source>
      <translation>Open path from clipboard</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="200"></location>
      <source>Record program…</source>
      <translation>Record program…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="203"></location>
      <source>Export plot</source>
      <translation>Export plot</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="211"></location>
      <location filename="inspector/ui/window/messages.py" line="28"></location>
      <location filename="inspector/ui/window/messages.py" line="47"></location>
      <source>Reload</source>
      <translation>Reload</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="214"></location>
      <source>Reopen last closed</source>
      <translation>Reopen last closed</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="217"></location>
      <source>Nothing has been closed yet</source>
      <translation>Nothing has been closed yet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="221"></location>
      <location filename="inspector/ui/window/session.py" line="332"></location>
      <source>Restore previous session</source>
      <translation>Restore previous session</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="223"></location>
      <source>There is no previous session</source>
      <translation>There is no previous session</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="226"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="68"></location>
      <source>Restore session at startup</source>
      <translation>Restore session at startup</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="230"></location>
      <source>Preferences…</source>
      <translation>Preferences…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="232"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="54"></location>
      <source>Quit</source>
      <translation>Quit</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="248"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="26"></location>
      <source>Dark</source>
      <translation>Dark</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="248"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="24"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="179"></location>
      <source>Follow system</source>
      <translation>Follow system</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="248"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="25"></location>
      <source>Light</source>
      <translation>Light</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="255"></location>
      <source>Model list</source>
      <translation>Model list</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="261"></location>
      <source>Details pane</source>
      <translation>Details pane</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="297"></location>
      <location filename="inspector/ui/window/top_bar.py" line="358"></location>
      <source>Check device support…</source>
      <translation>Check device support…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="301"></location>
      <source>Generate code…</source>
      <translation>Generate code…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="302"></location>
      <location filename="inspector/ui/window/top_bar.py" line="234"></location>
      <source>Settings…</source>
      <translation>Settings…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="303"></location>
      <location filename="inspector/ui/window/top_bar.py" line="235"></location>
      <source>Sweep settings…</source>
      <translation>Sweep settings…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="304"></location>
      <source>Compare models on machines…</source>
      <translation>Compare models on machines…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="306"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="45"></location>
      <source>Previous selection</source>
      <translation>Previous selection</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="307"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="46"></location>
      <source>Next selection</source>
      <translation>Next selection</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="319"></location>
      <source>Nothing is open</source>
      <translation>Nothing is open</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="324"></location>
      <source>No report is shown. Measure the model, or open a report.</source>
      <translation>No report is shown. Measure the model, or open a report.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="329"></location>
      <source>No sweep is shown. Start one in the Performance tab.</source>
      <translation>No sweep is shown. Start one in the Performance tab.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="334"></location>
      <source>Needs two open reports. Measure again, or open another.</source>
      <translation>Needs two open reports. Measure again, or open another.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="339"></location>
      <source>Needs two open models. Open another one first.</source>
      <translation>Needs two open models. Open another one first.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="345"></location>
      <location filename="inspector/ui/window/commands.py" line="374"></location>
      <source>No model is open</source>
      <translation>No model is open</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="347"></location>
      <source>The model of this report is not open</source>
      <translation>The model of this report is not open</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="362"></location>
      <source>Another job is running; wait or cancel it</source>
      <translation>Another job is running; wait or cancel it</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="380"></location>
      <source>Nothing is running</source>
      <translation>Nothing is running</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="431"></location>
      <source>No recent files</source>
      <translation>No recent files</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="442"></location>
      <source>not exported</source>
      <translation>not exported</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands.py" line="447"></location>
      <source>No other reports</source>
      <translation>No other reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="38"></location>
      <source>Open URL — Inspector</source>
      <translation>Open URL — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="43"></location>
      <source>https://…/model.onnx, hf://owner/name/model.onnx</source>
      <translation>https://…/model.onnx, hf://owner/name/model.onnx</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="44"></location>
      <source>URL of a model</source>
      <translation>URL of a model</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="53"></location>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="146"></location>
      <source>Check URL</source>
      <translation>Check URL</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="59"></location>
      <source>URL of an ONNX model. Inspector asks before it downloads anything.</source>
      <translation>URL of an ONNX model. Inspector asks before it downloads anything.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="83"></location>
      <source>This is not the URL of a model</source>
      <translation>This is not the URL of a model</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="85"></location>
      <source>Enter https://host/model.onnx or hf://owner/name/model.onnx.</source>
      <translation>Enter https://host/model.onnx or hf://owner/name/model.onnx.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="89"></location>
      <source>Contacting the server…</source>
      <translation>Contacting the server…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="102"></location>
      <source>It will be saved in {folder}.</source>
      <translation>It will be saved in {folder}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="104"></location>
      <source>Download</source>
      <translation>Download</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py" line="181"></location>
      <source>{done} of {total}</source>
      <translation>{done} of {total}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="125"></location>
      <source>Code for {model} — Inspector</source>
      <translation>Code for {model} — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="143"></location>
      <source>Save as…</source>
      <translation>Save as…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="151"></location>
      <source>Uses the preprocessing from the Preview tab and the settings of the next measurement.</source>
      <translation>Uses the preprocessing from the Preview tab and the settings of the next measurement.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="193"></location>
      <source>Requires: {packages}</source>
      <translation>Requires: {packages}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py" line="201"></location>
      <source>Save code</source>
      <translation>Save code</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="29"></location>
      <source>Install {name}</source>
      <translation>Install {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="45"></location>
      <source>Install</source>
      <translation>Install</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="63"></location>
      <source>Downloads {packages} and all dependencies into an environment of its own:</source>
      <translation>Downloads {packages} and all dependencies into an environment of its own:</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="66"></location>
      <source>Downloads {packages} and all dependencies (about {size}) into an environment of its own:</source>
      <translation>Downloads {packages} and all dependencies (about {size}) into an environment of its own:</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="71"></location>
      <source>Nothing else is changed.</source>
      <translation>Nothing else is changed.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py" line="78"></location>
      <source>starting</source>
      <translation>starting</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="62"></location>
      <source>Opset</source>
      <translation>Opset</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="64"></location>
      <source>Task</source>
      <translation>Task</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="71"></location>
      <source>Median latency of the newest report of this model in the report library</source>
      <translation>Median latency of the newest report of this model in the report library</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="72"></location>
      <source>Data type of most weights</source>
      <translation>Data type of most weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="115"></location>
      <source>Same content as {other}</source>
      <translation>Same content as {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="156"></location>
      <source>{name} (duplicate)</source>
      <translation>{name} (duplicate)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="183"></location>
      <location filename="inspector/ui/window/main_window.py" line="214"></location>
      <location filename="inspector/ui/window/main_window.py" line="232"></location>
      <location filename="inspector/ui/window/main_window.py" line="256"></location>
      <source>{name} — Inspector</source>
      <translation>{name} — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="194"></location>
      <source>Filter models</source>
      <translation>Filter models</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="201"></location>
      <source>Select two models to compare them</source>
      <translation>Select two models to compare them</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="254"></location>
      <source>Open {count}</source>
      <translation>Open {count}</translation>
    </message>
    <message numerus="yes">
      <location filename="inspector/ui/window/dialogs/folder_dialog.py" line="262"></location>
      <source>duplicate</source>
      <comment>with a count</comment>
      <translation>
        <numerusform>%Ln duplicate</numerusform>
        <numerusform>%Ln duplicates</numerusform>
      </translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="59"></location>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="60"></location>
      <source>Search the guide</source>
      <translation>Search the guide</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="65"></location>
      <source>Contents</source>
      <translation>Contents</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="70"></location>
      <source>No pages match your search</source>
      <translation>No pages match your search</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="79"></location>
      <source>Back (Alt+Left)</source>
      <translation>Back (Alt+Left)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="80"></location>
      <source>Forward (Alt+Right)</source>
      <translation>Forward (Alt+Right)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="167"></location>
      <source>Best match: {title}</source>
      <translation>Best match: {title}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="237"></location>
      <source>Page</source>
      <translation>Page</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py" line="355"></location>
      <source>This page is missing from this installation.</source>
      <translation>This page is missing from this installation.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="59"></location>
      <source>Filter terms</source>
      <translation>Filter terms</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="59"></location>
      <source>Find a term</source>
      <translation>Find a term</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="84"></location>
      <source>No terms match your search</source>
      <translation>No terms match your search</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="111"></location>
      <source>Inspector {version}</source>
      <translation>Inspector {version}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="114"></location>
      <source>Inspector works offline: your models and measurements stay on this machine.</source>
      <translation>Inspector works offline: your models and measurements stay on this machine.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="117"></location>
      <source>License: Apache-2.0. The fonts Inter and JetBrains Mono are under the SIL Open Font License.</source>
      <translation>License: Apache-2.0. The fonts Inter and JetBrains Mono are under the SIL Open Font License.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py" line="129"></location>
      <source>Sandbox: {level}{because}: {meanings}.</source>
      <translation>Sandbox: {level}{because}: {meanings}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="42"></location>
      <source>{count} cores</source>
      <translation>{count} cores</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="56"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="181"></location>
      <source>Connecting…</source>
      <translation>Connecting…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="63"></location>
      <source>Unreachable since {time}: {why}</source>
      <translation>Unreachable since {time}: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="63"></location>
      <source>Unreachable: {why}</source>
      <translation>Unreachable: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="69"></location>
      <source>Busy: {what}</source>
      <translation>Busy: {what}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="95"></location>
      <location filename="inspector/ui/window/top_bar.py" line="410"></location>
      <source>Other machines</source>
      <translation>Other machines</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="111"></location>
      <source>Machines that you reach over SSH. Choose one from the device menu: models are then measured there, and the reports open here.</source>
      <translation>Machines that you reach over SSH. Choose one from the device menu: models are then measured there, and the reports open here.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="117"></location>
      <source>No machines yet. Add one below.</source>
      <translation>No machines yet. Add one below.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="221"></location>
      <source>Add a machine</source>
      <translation>Add a machine</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="239"></location>
      <source>SSH host</source>
      <translation>SSH host</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="241"></location>
      <source>Python on that machine</source>
      <translation>Python on that machine</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="242"></location>
      <source>Leave empty if installed with 'inspector devices --install'</source>
      <translation>Leave empty if installed with 'inspector devices --install'</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="265"></location>
      <source>Remove {name}</source>
      <translation>Remove {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py" line="294"></location>
      <source>State</source>
      <translation>State</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="29"></location>
      <source>KiB, MiB, GiB (1,024 bytes)</source>
      <translation>KiB, MiB, GiB (1,024 bytes)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="30"></location>
      <source>kB, MB, GB (1,000 bytes)</source>
      <translation>kB, MB, GB (1,000 bytes)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="41"></location>
      <location filename="inspector/ui/window/shortcuts.py" line="53"></location>
      <source>Preferences</source>
      <translation>Preferences</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="50"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="82"></location>
      <source>Theme</source>
      <translation>Theme</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="52"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="83"></location>
      <source>Language</source>
      <translation>Language</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="55"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="84"></location>
      <source>Zoom</source>
      <translation>Zoom</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="57"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="85"></location>
      <source>Size units</source>
      <translation>Size units</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="60"></location>
      <source>Changes to the language, zoom and size units take effect after you restart Inspector.</source>
      <translation>Changes to the language, zoom and size units take effect after you restart Inspector.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="67"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="93"></location>
      <source>Default device</source>
      <translation>Default device</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="71"></location>
      <source>Clear recent files</source>
      <translation>Clear recent files</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="72"></location>
      <source>Remove downloads</source>
      <translation>Remove downloads</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="75"></location>
      <source>Show folder</source>
      <translation>Show folder</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="87"></location>
      <source>Appearance</source>
      <translation>Appearance</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="94"></location>
      <source>This device will be selected for models that you open from now on.</source>
      <translation>This device will be selected for models that you open from now on.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="96"></location>
      <source>Startup</source>
      <translation>Startup</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="100"></location>
      <source>Privacy</source>
      <translation>Privacy</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="101"></location>
      <source>Report library</source>
      <translation>Report library</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="102"></location>
      <source>Downloaded models</source>
      <translation>Downloaded models</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="103"></location>
      <source>Recent files</source>
      <translation>Recent files</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="105"></location>
      <source>Inspector sends nothing by itself. It uses the network only at your request: to download a model whose address you open (it asks first), to install an engine, and to run models on machines that you added. Those receive the models: your own machines, a lab, or a service such as Qualcomm AI Hub.</source>
      <translation>Inspector sends nothing by itself. It uses the network only at your request: to download a model whose address you open (it asks first), to install an engine, and to run models on machines that you added. Those receive the models: your own machines, a lab, or a service such as Qualcomm AI Hub.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py" line="189"></location>
      <source>{device} (not available)</source>
      <translation>{device} (not available)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="36"></location>
      <source>Many phones and NPUs run only models with fixed shapes. Clear the check box to see support with dynamic axes.</source>
      <translation>Many phones and NPUs run only models with fixed shapes. Clear the check box to see support with dynamic axes.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="59"></location>
      <source>Target</source>
      <translation>Target</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="60"></location>
      <source>Runs there?</source>
      <translation>Runs there?</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="62"></location>
      <source>Execution provider</source>
      <translation>Execution provider</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="159"></location>
      <source>Support</source>
      <translation>Support</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="160"></location>
      <source>Reason</source>
      <translation>Reason</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="161"></location>
      <location filename="inspector/ui/window/inspector_pane.py" line="724"></location>
      <source>Source</source>
      <translation>Source</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="255"></location>
      <source>Check device support — {model}</source>
      <translation>Check device support — {model}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="261"></location>
      <source>Targets</source>
      <translation>Targets</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="264"></location>
      <source>Layers on the target device</source>
      <translation>Layers on the target device</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="274"></location>
      <source>Only unsupported or unchecked layers</source>
      <translation>Only unsupported or unchecked layers</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="275"></location>
      <source>Copy as Markdown</source>
      <translation>Copy as Markdown</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="277"></location>
      <source>Set these sizes in a copy of the model, in Improve</source>
      <translation>Set these sizes in a copy of the model, in Improve</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="300"></location>
      <source>Assume {sizes}</source>
      <translation>Assume {sizes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="324"></location>
      <source>Checking…</source>
      <translation>Checking…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="343"></location>
      <source>The file has dynamic axes. After you set {sizes} in it:</source>
      <translation>The file has dynamic axes. After you set {sizes} in it:</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="354"></location>
      <source>{every} of {total} targets support every layer. Estimated from the source code of the execution providers; nothing was run.</source>
      <translation>{every} of {total} targets support every layer. Estimated from the source code of the execution providers; nothing was run.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="378"></location>
      <source>not counting {layers} that ONNX Runtime removes</source>
      <translation>not counting {layers} that ONNX Runtime removes</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py" line="389"></location>
      <source>Source: {source}; other versions may differ</source>
      <translation>Source: {source}; other versions may differ</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/document_view.py" line="221"></location>
      <source>This file has no graph</source>
      <translation>This file has no graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/document_view.py" line="222"></location>
      <source>The network is defined by the program that loads this file. Overview and Weights show the content of the file.</source>
      <translation>The network is defined by the program that loads this file. Overview and Weights show the content of the file.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="73"></location>
      <source>at least {macs}</source>
      <translation>at least {macs}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="88"></location>
      <source>Arithmetic intensity, layer alone</source>
      <translation>Arithmetic intensity, layer alone</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="100"></location>
      <source>Achieved throughput</source>
      <translation>Achieved throughput</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="105"></location>
      <source>Included in total cost</source>
      <translation>Included in total cost</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="105"></location>
      <source>no; another branch is included</source>
      <translation>no; another branch is included</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="136"></location>
      <source>Overload</source>
      <translation>Overload</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="140"></location>
      <source>Notes from the model file</source>
      <translation>Notes from the model file</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="141"></location>
      <source>Subgraphs</source>
      <translation>Subgraphs</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="142"></location>
      <source>Requested devices</source>
      <translation>Requested devices</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="167"></location>
      <source>The data type that the layer was computed in, which is the same as in the model.</source>
      <translation>The data type that the layer was computed in, which is the same as in the model.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="170"></location>
      <source>Stored → computed: the device has no kernel for the stored type, so ONNX Runtime converts.</source>
      <translation>Stored → computed: the device has no kernel for the stored type, so ONNX Runtime converts.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="256"></location>
      <source>Open a model to see its details.</source>
      <translation>Open a model to see its details.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="283"></location>
      <source>Select a layer or an event to see its details.</source>
      <translation>Select a layer or an event to see its details.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="331"></location>
      <source>Unknown: {why}</source>
      <translation>Unknown: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="334"></location>
      <source>Show this layer in the graph as executed</source>
      <translation>Show this layer in the graph as executed</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="336"></location>
      <source>Show the graph as executed</source>
      <translation>Show the graph as executed</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="337"></location>
      <source>Show the model and the optimized graph</source>
      <translation>Show the model and the optimized graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="363"></location>
      <source>Show this tensor</source>
      <translation>Show this tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="393"></location>
      <source>Weight</source>
      <translation>Weight</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="409"></location>
      <source>Show in Weights</source>
      <translation>Show in Weights</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="439"></location>
      <source>Hide the documentation</source>
      <translation>Hide the documentation</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="439"></location>
      <source>Show the documentation</source>
      <translation>Show the documentation</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="442"></location>
      <source>Operator {operator}</source>
      <translation>Operator {operator}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="447"></location>
      <source>Loading…</source>
      <translation>Loading…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="454"></location>
      <source>The ONNX standard does not describe this operator.</source>
      <translation>The ONNX standard does not describe this operator.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="484"></location>
      <source>Inside the compiled partition: {text}.</source>
      <translation>Inside the compiled partition: {text}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="494"></location>
      <source>{share} of kernel time</source>
      <translation>{share} of kernel time</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="504"></location>
      <source>Conversions that the runtime added for this layer take another {duration}.</source>
      <translation>Conversions that the runtime added for this layer take another {duration}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="529"></location>
      <source>min {duration} · max {duration_2}</source>
      <translation>min {duration} · max {duration_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="552"></location>
      <source>Measures the peak rates of the device, not the model again, and shows the limit of each layer</source>
      <translation>Measures the peak rates of the device, not the model again, and shows the limit of each layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="555"></location>
      <source>Measure device peak to see why</source>
      <translation>Measure device peak to see why</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="600"></location>
      <source>layer {into}</source>
      <translation>layer {into}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="604"></location>
      <source>One of {count} layers compiled into one; their time is listed at {name}.</source>
      <translation>One of {count} layers compiled into one; their time is listed at {name}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="606"></location>
      <source>{capitalize} into {name}; their time is measured together.</source>
      <translation>{capitalize} into {name}; their time is measured together.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="611"></location>
      <source>Not timed: submitting it took {duration}, and the device ran it asynchronously. Use Synchronize layers to time it.</source>
      <translation>Not timed: submitting it took {duration}, and the device ran it asynchronously. Use Synchronize layers to time it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="614"></location>
      <source>Not timed separately: {value}.</source>
      <translation>Not timed separately: {value}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="726"></location>
      <source>in {function}</source>
      <translation>in {function}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="728"></location>
      <source>Module</source>
      <translation>Module</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="729"></location>
      <source>Class</source>
      <translation>Class</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="747"></location>
      <source>Operator version from opset {since}; this model uses opset {opset}.</source>
      <translation>Operator version from opset {since}; this model uses opset {opset}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="753"></location>
      <source>Changed in opsets {versions}</source>
      <translation>Changed in opsets {versions}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="756"></location>
      <source>Deprecated</source>
      <translation>Deprecated</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py" line="759"></location>
      <source>Compared with the previous version: {c}.</source>
      <translation>Compared with the previous version: {c}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="338"></location>
      <source>Open folder of models</source>
      <translation>Open folder of models</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="528"></location>
      <source>Could not check device support</source>
      <translation>Could not check device support</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="539"></location>
      <source>Could not generate code to run the model</source>
      <translation>Could not generate code to run the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="604"></location>
      <source>Closed the report of {name}</source>
      <translation>Closed the report of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="623"></location>
      <source>its {report_count}</source>
      <translation>its {report_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="625"></location>
      <source>its report</source>
      <translation>its report</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="628"></location>
      <source>Closed {name} and {several}</source>
      <translation>Closed {name} and {several}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="733"></location>
      <location filename="inspector/ui/window/main_window.py" line="999"></location>
      <location filename="inspector/ui/window/top_bar.py" line="116"></location>
      <location filename="inspector/ui/window/top_bar.py" line="311"></location>
      <source>Inspector</source>
      <translation>Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="911"></location>
      <source>Export report…</source>
      <translation>Export report…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="918"></location>
      <source>Reopen</source>
      <translation>Reopen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py" line="923"></location>
      <source>Press {keys} to reopen it.</source>
      <translation>Press {keys} to reopen it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="25"></location>
      <source>The model shown is the old version and can no longer be run. Press F5 to reload it; its reports stay open.</source>
      <translation>The model shown is the old version and can no longer be run. Press F5 to reload it; its reports stay open.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="30"></location>
      <source>{name} changed on disk</source>
      <translation>{name} changed on disk</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="33"></location>
      <source>It was deleted, renamed or moved. The loaded model stays open.</source>
      <translation>It was deleted, renamed or moved. The loaded model stays open.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="34"></location>
      <location filename="inspector/ui/window/status.py" line="169"></location>
      <source>{name} no longer exists</source>
      <translation>{name} no longer exists</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="44"></location>
      <source>{why}. The model shown is the old version.</source>
      <translation>{why}. The model shown is the old version.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="49"></location>
      <source>{name} could not be reloaded</source>
      <translation>{name} could not be reloaded</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="62"></location>
      <source>Quit — Inspector</source>
      <translation>Quit — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="64"></location>
      <source>{report_count} could not be saved</source>
      <translation>{report_count} could not be saved</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="68"></location>
      <source>The report library is not writable. Export the reports that you need, or quit without saving.</source>
      <translation>The report library is not writable. Export the reports that you need, or quit without saving.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="73"></location>
      <source>Quit without saving</source>
      <translation>Quit without saving</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="93"></location>
      <source>Upload — Inspector</source>
      <translation>Upload — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="94"></location>
      <source>Upload to {service}?</source>
      <translation>Upload to {service}?</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py" line="97"></location>
      <source>Upload</source>
      <translation>Upload</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="143"></location>
      <source>The last session was not restored</source>
      <translation>The last session was not restored</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="145"></location>
      <source>Inspector closed unexpectedly {most_attempts} times while restoring it.</source>
      <translation>Inspector closed unexpectedly {most_attempts} times while restoring it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="152"></location>
      <source>Inspector did not shut down properly last time</source>
      <translation>Inspector did not shut down properly last time</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="252"></location>
      <source>Damaged session or library files were moved</source>
      <translation>Damaged session or library files were moved</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="254"></location>
      <source>They are now {names} in {parent}; results are not affected.</source>
      <translation>They are now {names} in {parent}; results are not affected.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="262"></location>
      <source>Remove {count}</source>
      <translation>Remove {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="266"></location>
      <source>The report library is full</source>
      <translation>The report library is full</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="268"></location>
      <source>The oldest {count} have not been exported. Remove them, or export what you want to keep and restart. Nothing is removed automatically.</source>
      <translation>The oldest {count} have not been exported. Remove them, or export what you want to keep and restart. Nothing is removed automatically.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="570"></location>
      <source>Could not open a report of {name}</source>
      <translation>Could not open a report of {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="571"></location>
      <source>this session</source>
      <translation>this session</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="573"></location>
      <source>the report is no longer in the library</source>
      <translation>the report is no longer in the library</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="610"></location>
      <source>Could not open {name}</source>
      <translation>Could not open {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="611"></location>
      <source>the file is no longer in {parent}</source>
      <translation>the file is no longer in {parent}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="612"></location>
      <source>It was deleted, renamed or moved. Its reports are still available.</source>
      <translation>It was deleted, renamed or moved. Its reports are still available.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py" line="632"></location>
      <source>{capitalize} can be restored. Nothing was lost.</source>
      <translation>{capitalize} can be restored. Nothing was lost.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="11"></location>
      <source>Tables</source>
      <translation>Tables</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="28"></location>
      <location filename="inspector/ui/window/top_bar.py" line="113"></location>
      <source>Open a model, report or trace</source>
      <translation>Open a model, report or trace</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="29"></location>
      <source>Open the path on the clipboard</source>
      <translation>Open the path on the clipboard</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="30"></location>
      <location filename="inspector/ui/window/top_bar.py" line="115"></location>
      <source>Record a program</source>
      <translation>Record a program</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="31"></location>
      <source>Find and run a command</source>
      <translation>Find and run a command</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="32"></location>
      <source>Find in the current tab</source>
      <translation>Find in the current tab</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="33"></location>
      <source>Show the report history</source>
      <translation>Show the report history</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="34"></location>
      <source>Measure the model</source>
      <translation>Measure the model</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="35"></location>
      <source>Cancel the current job</source>
      <translation>Cancel the current job</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="36"></location>
      <source>Save the report as JSON</source>
      <translation>Save the report as JSON</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="37"></location>
      <source>Reload the file</source>
      <translation>Reload the file</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="42"></location>
      <source>Close the current report, model or trace</source>
      <translation>Close the current report, model or trace</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="44"></location>
      <source>Reopen the last closed item</source>
      <translation>Reopen the last closed item</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="47"></location>
      <location filename="inspector/ui/window/top_bar.py" line="110"></location>
      <source>Show or hide the model list</source>
      <translation>Show or hide the model list</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="48"></location>
      <location filename="inspector/ui/window/top_bar.py" line="130"></location>
      <source>Show or hide the details pane</source>
      <translation>Show or hide the details pane</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="50"></location>
      <source>Explain the current page, or the term under the pointer</source>
      <translation>Explain the current page, or the term under the pointer</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="52"></location>
      <source>Show this list</source>
      <translation>Show this list</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="55"></location>
      <source>Zoom in or out</source>
      <translation>Zoom in or out</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="56"></location>
      <source>Scroll left or right</source>
      <translation>Scroll left or right</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="57"></location>
      <source>Go to start or end</source>
      <translation>Go to start or end</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="58"></location>
      <source>Zoom to fit</source>
      <translation>Zoom to fit</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="60"></location>
      <source>Previous or next event; on Activations: layer</source>
      <translation>Previous or next event; on Activations: layer</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="62"></location>
      <source>Find an event</source>
      <translation>Find an event</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="63"></location>
      <source>Measure the time between two points</source>
      <translation>Measure the time between two points</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="64"></location>
      <source>Collapse or expand a lane</source>
      <translation>Collapse or expand a lane</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="65"></location>
      <source>Pin a lane</source>
      <translation>Pin a lane</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="66"></location>
      <source>Clear the selection</source>
      <translation>Clear the selection</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="67"></location>
      <source>Copy the row</source>
      <translation>Copy the row</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="69"></location>
      <source>Sort by the previous or next column</source>
      <translation>Sort by the previous or next column</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py" line="71"></location>
      <source>Change the sort order</source>
      <translation>Change the sort order</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="82"></location>
      <source>Open models, reports, traces and comparisons</source>
      <translation>Open models, reports, traces and comparisons</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="84"></location>
      <location filename="inspector/ui/window/sidebar.py" line="138"></location>
      <source>Compare reports</source>
      <translation>Compare reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="117"></location>
      <source>Traces</source>
      <translation>Traces</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="121"></location>
      <source>Comparisons</source>
      <translation>Comparisons</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="252"></location>
      <source>Rename…</source>
      <translation>Rename…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="257"></location>
      <source>Copy path</source>
      <translation>Copy path</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="262"></location>
      <source>Close other reports</source>
      <translation>Close other reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="262"></location>
      <source>Close others</source>
      <translation>Close others</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="265"></location>
      <source>It has no other report</source>
      <translation>It has no other report</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="265"></location>
      <source>Nothing else is open</source>
      <translation>Nothing else is open</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="286"></location>
      <source>Rename report</source>
      <translation>Rename report</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="287"></location>
      <source>Name in the list (leave empty for the default name):</source>
      <translation>Name in the list (leave empty for the default name):</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="327"></location>
      <source>incomplete</source>
      <translation>incomplete</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="338"></location>
      <source>Today</source>
      <translation>Today</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="338"></location>
      <source>Yesterday</source>
      <translation>Yesterday</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="429"></location>
      <source>Noisy · {when}</source>
      <translation>Noisy · {when}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="431"></location>
      <source>Incomplete · {when}</source>
      <translation>Incomplete · {when}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py" line="433"></location>
      <source>Previous version · {words_below}</source>
      <translation>Previous version · {words_below}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py" line="38"></location>
      <source>Cancel this job; the model stays open</source>
      <translation>Cancel this job; the model stays open</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py" line="42"></location>
      <source>Status</source>
      <translation>Status</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py" line="75"></location>
      <source>Opening {reading}</source>
      <translation>Opening {reading}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py" line="77"></location>
      <location filename="inspector/ui/window/status.py" line="80"></location>
      <location filename="inspector/ui/window/status.py" line="167"></location>
      <source>Ready</source>
      <translation>Ready</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py" line="168"></location>
      <source>{name} changed on disk · press F5 to reload</source>
      <translation>{name} changed on disk · press F5 to reload</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/tabs.py" line="88"></location>
      <source>Performance</source>
      <translation>Performance</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="37"></location>
      <source>Latency per run…</source>
      <translation>Latency per run…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="38"></location>
      <source>Latency distribution…</source>
      <translation>Latency distribution…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="39"></location>
      <source>Slowest layers…</source>
      <translation>Slowest layers…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="40"></location>
      <source>Timeline…</source>
      <translation>Timeline…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="41"></location>
      <source>Load phases…</source>
      <translation>Load phases…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="42"></location>
      <source>Memory…</source>
      <translation>Memory…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="43"></location>
      <source>Latency of concurrent runs…</source>
      <translation>Latency of concurrent runs…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="44"></location>
      <source>Roofline…</source>
      <translation>Roofline…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="47"></location>
      <source>Heat map…</source>
      <translation>Heat map…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="48"></location>
      <source>Line chart…</source>
      <translation>Line chart…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="49"></location>
      <source>Latency by model size…</source>
      <translation>Latency by model size…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="50"></location>
      <source>Latency and memory by machine…</source>
      <translation>Latency and memory by machine…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="108"></location>
      <source>Menu</source>
      <translation>Menu</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="117"></location>
      <source>No model open</source>
      <translation>No model open</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="123"></location>
      <location filename="inspector/ui/window/top_bar.py" line="124"></location>
      <source>Settings and sweeps</source>
      <translation>Settings and sweeps</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="128"></location>
      <source>Export the current item</source>
      <translation>Export the current item</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="262"></location>
      <source>Export one plot</source>
      <translation>Export one plot</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="269"></location>
      <source>Results of Improve…</source>
      <translation>Results of Improve…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="297"></location>
      <source>No report is shown</source>
      <translation>No report is shown</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="297"></location>
      <source>No sweep is shown</source>
      <translation>No sweep is shown</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="312"></location>
      <source>Comparison of two models</source>
      <translation>Comparison of two models</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="337"></location>
      <source>{device} on {machine}</source>
      <translation>{device} on {machine}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="354"></location>
      <source>Searching for devices…</source>
      <translation>Searching for devices…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="377"></location>
      <source>Not installed: click to copy the command</source>
      <translation>Not installed: click to copy the command</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="391"></location>
      <source>Copied: {command}</source>
      <translation>Copied: {command}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="420"></location>
      <source>Add another machine…</source>
      <translation>Add another machine…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="420"></location>
      <source>Other machines…</source>
      <translation>Other machines…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="448"></location>
      <source>unreachable</source>
      <translation>unreachable</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="476"></location>
      <source>Open a model or drop one here</source>
      <translation>Open a model or drop one here</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="480"></location>
      <source>Opset {opset}</source>
      <translation>Opset {opset}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="487"></location>
      <source>Report without model · {layer_count}</source>
      <translation>Report without model · {layer_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py" line="490"></location>
      <source>Opening…</source>
      <translation>Opening…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="19"></location>
      <source>Clothing photos (image)</source>
      <translation>Clothing photos (image)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="20"></location>
      <source>Handwritten digits (image)</source>
      <translation>Handwritten digits (image)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="21"></location>
      <source>Tone detection (audio)</source>
      <translation>Tone detection (audio)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="22"></location>
      <source>Language identification (text)</source>
      <translation>Language identification (text)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="23"></location>
      <source>Wine classification (table)</source>
      <translation>Wine classification (table)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="24"></location>
      <source>Sharpening (image to image)</source>
      <translation>Sharpening (image to image)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="49"></location>
      <source>Drop a model here</source>
      <translation>Drop a model here</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="52"></location>
      <source>Inspect a model (ONNX, TensorFlow Lite, Core ML and more), run it on your own data and profile it layer by layer. You can also open reports and traces. Opening a model never runs it.</source>
      <translation>Inspect a model (ONNX, TensorFlow Lite, Core ML and more), run it on your own data and profile it layer by layer. You can also open reports and traces. Opening a model never runs it.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="68"></location>
      <source>Recent</source>
      <translation>Recent</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py" line="77"></location>
      <source>Sample models</source>
      <translation>Sample models</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>all</source>
      <translation>all</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>all optimizations</source>
      <translation>all optimizations</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>basic</source>
      <translation>basic</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>basic optimizations</source>
      <translation>basic optimizations</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>extended</source>
      <translation>extended</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>extended optimizations</source>
      <translation>extended optimizations</translation>
    </message>
    <message>
      <location filename="inspector/units.py" line="1"></location>
      <source>no optimization</source>
      <translation>no optimization</translation>
    </message>
  </context>
</TS>
