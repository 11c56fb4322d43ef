export const player = {
  label: 'رسالة صوتية، {{duration}}',
  play: 'تشغيل',
  pause: 'إيقاف مؤقت',
  position: 'موضع التشغيل',
  positionOf: '{{position}} من {{duration}}',
  speed: 'السرعة {{speed}}',
  failed: 'تعذّر تشغيل الصوت.',
  failedFile: 'تعذّر تشغيل الملف الصوتي.',
};
