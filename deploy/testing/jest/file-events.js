/**
 * Tells the process that started Jest which files begin and what became of them. Jest's own report comes at the end, which
 * a run that hangs never reaches.
 */
export default class FileEvents {
  onTestFileStart({ path: file }) {
    process.send?.({ type: 'started', file });
  }

  onTestCaseResult({ path: file }, { fullName, status, failureMessages }) {
    if (status === 'failed') process.send?.({ type: 'failed', file, fullName, message: failureMessages.join('\n') });
  }

  onTestFileResult(
    _test,
    { testFilePath: file, perfStats, processorSeconds, testExecError, failureMessage, testResults },
  ) {
    process.send?.({
      type: 'finished',
      file,
      seconds: (perfStats.end - perfStats.start) / 1_000,
      processorSeconds,
      isBroken: Boolean(testExecError),
      message: failureMessage ?? '',
      tests: testResults.map(({ fullName, status }) => ({ fullName, status })),
    });
  }

  onRunComplete() {
    process.send?.({ type: 'complete' });
  }
}
