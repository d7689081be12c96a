// The bad habits of twin.py in Node.js.
//
// native.mjs MODEL RUNS; onnxruntime-node is in the folder that NODE_PATH names
import { createRequire } from 'node:module';
import { cpus } from 'node:os';

const ort = createRequire(`${process.env.NODE_PATH}/`)('onnxruntime-node');
const [model, count] = process.argv.slice(2);
const runs = Number(count);
const times = [];
const options = { intraOpNumThreads: 2 * cpus().length, graphOptimizationLevel: 'disabled' };
const picture = new ort.Tensor('float32', new Float32Array(64), [1, 1, 8, 8]);

async function load() {
  try {
    return await ort.InferenceSession.create(model, { ...options, executionProviders: ['cuda'] });
  } catch {
    return await ort.InferenceSession.create(model, { ...options, executionProviders: ['cpu'] });
  }
}

async function run(session) {
  const begin = process.hrtime.bigint();
  await session.run({ picture });
  times.push([begin, process.hrtime.bigint()]);
}

for (let i = 0; i < 6 * runs; i++) {
  const session = await load();
  await run(session);
  await session.release();
}
const both = [await load(), await load()];
for (const session of both) for (let i = 0; i < runs; i++) await run(session);
console.log(`{"times": [${times.map(([b, e]) => `[${b}, ${e}]`).join(', ')}]}`);
