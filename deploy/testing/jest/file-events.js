/** Reports files as they begin and end: Jest's own report comes at the end, which a hanging run never reaches. */
export default class FileEvents {
  onTestFileStart({ path: file }) {
    process.send?.({ type: 'started', file });
  }

  onTestCaseResult({ path: file }, { fullName, status, failureMessages }) {
    if (status === 'failed') process.send?.({ type: 'failed', file, fullName, message: failureMessages.join('\n') });
  }

  onTestFileResult(
    _test,
    { testFilePath: file, perfStats, processorSeconds, isLeftOut = false, testExecError, failureMessage, testResults },
  ) {
    process.send?.({
      type: 'finished',
      file,
      seconds: (perfStats.end - perfStats.start) / 1_000,
      processorSeconds,
      isLeftOut,
      isBroken: Boolean(testExecError),
      message: failureMessage ?? '',
      tests: testResults.map(({ fullName, status }) => ({ fullName, status })),
    });
  }

  onRunComplete() {
    process.send?.({ type: 'complete' });
  }
}
