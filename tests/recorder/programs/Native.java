// The bad habits of twin.py in Java.
//
// Native MODEL RUNS; the class path has the jar of ONNX Runtime
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class Native {
    static final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    static final List<String> times = new ArrayList<>();
    static OnnxTensor picture;

    static OrtSession load(String model) throws OrtException {
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(2 * Runtime.getRuntime().availableProcessors());
            options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
            try {
                options.addXnnpack(Map.of());
            } catch (OrtException refused) {
            }
            return environment.createSession(model, options);
        }
    }

    static void run(OrtSession session) throws OrtException {
        long begin = System.nanoTime();
        try (OrtSession.Result result = session.run(Map.of("picture", picture))) {
            times.add("[" + begin + ", " + System.nanoTime() + "]");
        }
    }

    public static void main(String[] words) throws OrtException {
        int runs = Integer.parseInt(words[1]);
        FloatBuffer pixels = FloatBuffer.allocate(64);
        picture = OnnxTensor.createTensor(environment, pixels, new long[] {1, 1, 8, 8});
        for (int i = 0; i < 6 * runs; i++)
            try (OrtSession session = load(words[0])) {
                run(session);
            }
        try (OrtSession first = load(words[0]); OrtSession second = load(words[0])) {
            for (OrtSession session : new OrtSession[] {first, second})
                for (int i = 0; i < runs; i++)
                    run(session);
        }
        System.out.println("{\"times\": [" + String.join(", ", times) + "]}");
    }
}
