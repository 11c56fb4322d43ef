import path from 'node:path';

/** Says which file begins, so that the output of a run that hangs names it. */
export default class StartedFiles {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onTestFileStart({ path: file }) {
    process.stderr.write(`RUNS ${path.relative(this.rootDir, file)}\n`);
  }
}
