// Exports models and a map and has the Khronos validator look at them. Skipped (exit code 77) where the npm
// package gltf-validator is not installed. Usage: node validate_gltf.js IRON3D
'use strict';
const {execFileSync} = require('child_process');
const fs = require('fs'), os = require('os'), path = require('path');
let validator;
try {
  validator = require('gltf-validator');
} catch (error) {
  console.log('gltf-validator is not installed: skipped');
  process.exit(77);
}
const iron3d = process.argv[2];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'iron3d-gltf-'));
const game = path.join(folder, 'game');
execFileSync(iron3d, ['content', 'build', '--out', game]);
const assets = [['robots.rlb::r_h_01.msh', 'gltf'], ['DATA/MAPS/PG_DUEL/land.msh', 'glb'], ['DATA/MAPS/PG_DUEL/land.map', 'gltf']];
const listed = JSON.parse(execFileSync(iron3d, ['archive', 'list', path.join(game, 'bases.rlb'), '--json']));
for (const entry of listed.entries) if (entry.name.endsWith('.msh')) assets.push(['bases.rlb::' + entry.name, 'glb']);

async function check(name, format, number) {
  const file = path.join(folder, `${number}.${format}`);
  execFileSync(iron3d, ['asset', 'export', game, name, '--out', file]);
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    externalResourceFunction: async uri => new Uint8Array(fs.readFileSync(path.join(folder, decodeURIComponent(uri)))),
  });
  const {numErrors, numWarnings} = report.issues;
  console.log(`${numErrors + numWarnings === 0 ? 'PASS' : 'FAIL'} ${name}: ${numErrors} errors, ${numWarnings} warnings`);
  for (const message of report.issues.messages.slice(0, 5)) console.log('  ', message.code, message.message, message.pointer);
  return numErrors + numWarnings === 0;
}

(async () => {
  let good = true;
  for (let i = 0; i < assets.length; i++) good = await check(...assets[i], i) && good;
  fs.rmSync(folder, {recursive: true});
  process.exit(good ? 0 : 1);
})();
