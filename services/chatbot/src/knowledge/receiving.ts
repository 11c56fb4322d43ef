import type { KnowledgeEntry } from './entry.js';

export const receiving: readonly KnowledgeEntry[] = [
  {
    id: 'read-messages',
    related: ['mark-read', 'reply-to-message', 'publish-message'],
    ar: {
      question: 'أين أقرأ الرسائل التي وصلتني؟',
      answer: 'في «ملفي» من قائمة حسابك: الأحدث أولًا، والجديدة عليها علامة حمراء. اضغط «اعرض المزيد» للأقدم.',
    },
    en: {
      question: 'Where do I read the messages I received?',
      answer:
        'Under “Profile” in your account menu: the newest first, with a red mark on new ones. Press “Load more” for older ones.',
    },
  },
  {
    id: 'mark-read',
    related: ['filter-messages', 'read-messages'],
    ar: {
      question: 'كيف أجعل الرسالة مقروءة؟',
      answer: 'اضغط «علّمها مقروءة»، فتتحوّل علامتها من الأحمر إلى الأخضر. والردّ عليها يعلّمها مقروءة أيضًا.',
    },
    en: {
      question: 'How do I mark a message as read?',
      answer: 'Press “Mark read”: its mark turns from red to green. Replying to it marks it as read too.',
    },
  },
  {
    id: 'publish-message',
    related: ['unpublish-message', 'reply-to-message', 'are-messages-private'],
    ar: {
      question: 'كيف أنشر رسالة في صفحتي؟',
      answer: 'اضغط «انشر» على الرسالة في ملفك، فتظهر في صفحتك العامة مع ردّك إن وُجد.',
    },
    en: {
      question: 'How do I publish a message?',
      answer:
        'Press “Publish” on the message in your profile. It shows on your public page, with your reply if there is one.',
    },
  },
  {
    id: 'unpublish-message',
    related: ['publish-message', 'delete-message'],
    ar: {
      question: 'كيف ألغي نشر رسالة؟',
      answer: 'اضغط «إلغاء النشر» على الرسالة في ملفك، فتعود خاصة وتختفي من صفحتك خلال ثوانٍ.',
    },
    en: {
      question: 'How do I unpublish a message?',
      answer:
        'Press “Unpublish” on the message in your profile: it becomes private again and leaves your page within seconds.',
    },
  },
  {
    id: 'reply-to-message',
    related: ['edit-reply', 'publish-message', 'who-sent-this'],
    ar: {
      question: 'كيف أردّ على رسالة؟',
      answer: 'اضغط «ردّ» على الرسالة واكتب حتى ١٠٠٠ حرف. يراه المرسل إن كان له حساب، ويراه الجميع إن نشرت الرسالة.',
    },
    en: {
      question: 'How do I reply to a message?',
      answer:
        'Press “Reply” on the message and write up to 1,000 characters. The sender sees it if they have an account, and everybody does once you publish the message.',
    },
  },
  {
    id: 'edit-reply',
    related: ['reply-to-message'],
    ar: {
      question: 'هل أستطيع تغيير ردّي؟',
      answer: 'نعم: ردّ على الرسالة مرة أخرى، فيحلّ ردّك الجديد محلّ القديم. لكل رسالة ردّ واحد.',
    },
    en: {
      question: 'Can I change my reply?',
      answer:
        'Yes: reply to the message again, and the new reply takes the place of the old one. Each message has one reply.',
    },
  },
  {
    id: 'delete-message',
    related: ['unpublish-message', 'bad-messages'],
    ar: {
      question: 'كيف أحذف رسالة وصلتني؟',
      answer: 'اضغط «حذف» على الرسالة وأكّد. تزول نهائيًا مع ردّك وصورتها وصوتها وبياناتها التقنية، ولا تُسترجع.',
    },
    en: {
      question: 'How do I delete a message I received?',
      answer:
        'Press “Delete” on the message and confirm. It is gone for good, with your reply, its picture, sound and technical data, and cannot be restored.',
    },
  },
  {
    id: 'filter-messages',
    related: ['read-messages', 'message-stats'],
    ar: {
      question: 'كيف أرتّب رسائلي أو أصفّيها؟',
      answer: 'فوق القائمة في ملفك: الكل، غير المقروءة، المقروءة، المستلمة، المُرسَلة؛ والأحدث أولًا أو الأقدم أولًا.',
    },
    en: {
      question: 'How do I sort or filter my messages?',
      answer: 'Above the list in your profile: all, unread, read, received or sent; newest first or oldest first.',
    },
  },
  {
    id: 'message-stats',
    related: ['filter-messages', 'visit-counter'],
    ar: {
      question: 'أين أجد إحصاءات رسائلي؟',
      answer: 'في ملفك بطاقة تعدّ رسائلك: المستلمة، والمقروءة، وغير المقروءة، والمُرسَلة.',
    },
    en: {
      question: 'Where are my message statistics?',
      answer: 'A card in your profile counts them: received, read, unread and sent.',
    },
  },
  {
    id: 'notifications',
    related: ['read-messages'],
    ar: {
      question: 'هل تصلني إشعارات بالرسائل الجديدة؟',
      answer:
        'نعم. يخبرك الجرس أعلى الصفحة، ويمكنك أن تطلب إشعارًا على جهازك من الإعدادات، قسم «الإشعارات»، وتحدّد ساعات هدوئك. لا نرسل شيئًا إلى البريد.',
    },
    en: {
      question: 'Do I get notifications of new messages?',
      answer:
        'Yes. The bell at the top tells you, and in the settings under “Notices” you can ask for notices on your device and set quiet hours. Nothing is sent by e-mail.',
    },
  },
  {
    id: 'bad-messages',
    related: ['delete-message', 'who-sent-this', 'are-messages-private'],
    ar: {
      question: 'وصلتني رسائل مسيئة، ماذا أفعل؟',
      answer:
        'احذفها ولا تنشرها؛ فلن يراها غيرك في صفحتك. لا يوجد حاليًا حظر ولا بلاغ من داخل الموقع. وإن هدّدك أحد فاحتفظ بالرسالة والجأ إلى من تثق به وإلى الجهات المختصّة في بلدك.',
    },
    en: {
      question: 'I get abusive messages. What can I do?',
      answer:
        'Delete them and do not publish them: nobody else sees them on your page. There is no blocking or reporting inside the site at present. If somebody threatens you, keep the message and turn to people you trust and to the authorities where you live.',
    },
  },
  {
    id: 'stop-receiving',
    related: ['who-can-open', 'bad-messages'],
    ar: {
      question: 'هل أستطيع إيقاف استقبال الرسائل؟',
      answer:
        'لا يوجد حاليًا زر لإيقاف الاستقبال: كل من معه رابطك يستطيع أن يكتب. تستطيع أن تزيل الرابط حيث نشرته، وأن تحذف ما لا تريده.',
    },
    en: {
      question: 'Can I stop receiving messages?',
      answer:
        'There is no switch for it at present: whoever has your link can write. You can take the link down where you shared it, and delete what you do not want.',
    },
  },
  {
    id: 'messages-expire',
    related: ['delete-message', 'how-long-kept'],
    ar: {
      question: 'هل تختفي الرسائل بعد مدة؟',
      answer: 'لا. تبقى الرسالة إلى أن تحذفها أنت. ما يُحذف بعد مدة هو بيانات الإرسال التقنية وحدها.',
    },
    en: {
      question: 'Do messages disappear after a while?',
      answer:
        'No. A message stays until you delete it. Only the technical data of the sending is deleted after a time.',
    },
  },
  {
    id: 'view-picture',
    related: ['read-messages', 'delete-message'],
    ar: {
      question: 'كيف أكبّر صورة وصلتني أو أحفظها؟',
      answer: 'اضغط الصورة في الرسالة، فتُفتح كاملة، ومعها زر «تنزيل».',
    },
    en: {
      question: 'How do I enlarge or save a picture I received?',
      answer: 'Press the picture in the message: it opens in full size, with a button for downloading it.',
    },
  },
];
