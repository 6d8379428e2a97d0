// Scores by ONNX Runtime: for each <name>.onnx of a folder those of the rows of <name>.in, floats
// row after row, to <name>.out; <name>.size has the numbers of rows and columns. Called by
// tools/test_onnx.R.
const fs = require('fs');
const path = require('path');
const [folder, modules] = process.argv.slice(2);
const ort = require(path.join(modules, 'onnxruntime-web'));

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

async function score(name) {
  const file = (extension) => path.join(folder, name + extension);
  const size = fs.readFileSync(file('.size'), 'utf8').trim().split(/\s+/).map(Number);
  const bytes = fs.readFileSync(file('.in'));
  const x = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const session = await ort.InferenceSession.create(fs.readFileSync(file('.onnx')));
  const result = await session.run({features: new ort.Tensor('float32', x, size)});
  fs.writeFileSync(file('.out'), Buffer.from(result.score.data.buffer, result.score.data.byteOffset,
                                             result.score.data.byteLength));
}

(async () => {
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.onnx'))) {
    await score(file.slice(0, -'.onnx'.length));
  }
})().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
