import type { ErrorCode } from '@najwa/proto/http/client';
import type { common } from './common.js';

/** Codes that visitors of a public page do not meet. */
export const ownErrors = {
  username_taken: 'اسم المستخدم مستعمل بالفعل',
  username_reserved: 'هذا الاسم محجوز. اختر اسمًا آخر.',
  wrong_credentials: 'اسم المستخدم أو كلمة المرور غير صحيحة.',
  wrong_recovery_code: 'اسم المستخدم أو رمز الاسترداد غير صحيح.',
  wrong_code: 'الرمز غير صحيح.',
  totp_required: 'اكتب الرمز من تطبيق الرموز.',
  passkey_refused: 'مفتاح المرور هذا لا يُدخل هنا.',
  session_not_found: 'انتهت جلستك. سجّل الدخول من جديد.',
  method_not_allowed: 'هذا الإجراء غير متاح.',
  range_not_satisfiable: 'هذا الجزء من الملف غير موجود.',
  wrong_password: 'كلمة المرور الحالية غير صحيحة.',
  totp_is_on: 'الخطوة الثانية مفعّلة من قبل.',
  totp_setup_required: 'فعّل الخطوة الثانية عند الدخول أولًا، من الإعدادات.',
  passkeys_full: 'عندك عشرون مفتاح مرور. احذف واحدًا لتضيف.',
  block_not_found: 'لم نجد ما تطلبه.',
  sender_unknown: 'لم يرسل هذه الرسالة أيّ حساب.',
  too_many_blocks: 'قائمة الحظر ممتلئة.',
  prompts_full: 'عندك عشرة أسئلة. احذف واحدًا لتضيف.',
  not_public: 'انشرها أولًا.',
  already_decided: 'سبقك مراجع آخر. حُدّثت الصفحة.',
  last_administrator: 'لا مشرف غيرك. أضف مشرفًا آخر أولًا.',
  export_running: 'نجمع ملفًا الآن.',
  changed_elsewhere: 'تغيّر هذا في مكان آخر. راجعه، ثم أعد المحاولة.',
  undo_expired: 'انقضت مهلة التراجع. الحذف نهائي.',
  own_action: 'يتراجع عنه مشرف آخر.',
  report_not_found: 'لم يعد هذا البلاغ موجودًا.',
  picture_undrawable: 'في النص حروف لا يمكن رسمها في صورة.',
} satisfies Record<Exclude<ErrorCode, keyof typeof common.error>, string>;
