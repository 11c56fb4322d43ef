import type { KnowledgeEntry } from './entry.js';

export const receiving: readonly KnowledgeEntry[] = [
  {
    id: 'read-messages',
    related: ['mark-read', 'reply-to-message', 'publish-message'],
    ar: {
      question: 'أين أقرأ الرسائل التي وصلتني؟',
      also: ['وين رسائلي', 'فين الرسايل اللي جاتني', 'كيف اشوف رسائلي', 'صندوق الوارد', 'الرسائل المستلمة'],
      answer: 'في «ملفي» من قائمة حسابك: الأحدث أولًا، والجديدة عليها علامة حمراء. اضغط «اعرض المزيد» للأقدم.',
    },
    en: {
      question: 'Where do I read the messages I received?',
      also: [
        'see my messages',
        'where is my inbox',
        'check received messages',
        'read what people wrote to me',
        'messages that people sent to me',
      ],
      answer:
        'Under “Profile” in your account menu: the newest first, with a red mark on new ones. Press “Load more” for older ones.',
    },
  },
  {
    id: 'mark-read',
    related: ['filter-messages', 'read-messages'],
    ar: {
      question: 'كيف أجعل الرسالة مقروءة؟',
      also: ['تعليم كمقروءة', 'ما معنى جديدة ومقروءة', 'العلامة الحمراء على الرسالة', 'كيف تصير الرسالة مقروءة'],
      answer: 'اضغط «علّمها مقروءة»، فتتحوّل علامتها من الأحمر إلى الأخضر. والردّ عليها يعلّمها مقروءة أيضًا.',
    },
    en: {
      question: 'How do I mark a message as read?',
      also: ['mark as read', 'what is the red mark', 'new and read badges'],
      answer: 'Press “Mark read”: its mark turns from red to green. Replying to it marks it as read too.',
    },
  },
  {
    id: 'publish-message',
    related: ['unpublish-message', 'reply-to-message', 'are-messages-private'],
    ar: {
      question: 'كيف أنشر رسالة في صفحتي؟',
      also: [
        'ازاي اخلي الرسالة عامة',
        'نشر رسالة',
        'اظهار الرسالة للناس',
        'كيف أعرض الرسائل في صفحتي العامة',
        'ابغى الناس تشوف الرسالة',
      ],
      answer: 'اضغط «انشر» على الرسالة في ملفك، فتظهر في صفحتك العامة مع ردّك إن وُجد.',
    },
    en: {
      question: 'How do I publish a message?',
      also: ['make a message public', 'show a message on my page', 'display messages on my public page'],
      answer:
        'Press “Publish” on the message in your profile. It shows on your public page, with your reply if there is one.',
    },
  },
  {
    id: 'unpublish-message',
    related: ['publish-message', 'delete-message'],
    ar: {
      question: 'كيف ألغي نشر رسالة؟',
      also: ['اخفاء رسالة من صفحتي', 'ارجع الرسالة خاصة', 'إلغاء النشر', 'شيل الرسالة من الصفحة العامة'],
      answer: 'اضغط «إلغاء النشر» على الرسالة في ملفك، فتعود خاصة وتختفي من صفحتك خلال ثوانٍ.',
    },
    en: {
      question: 'How do I unpublish a message?',
      also: [
        'hide a message from my page',
        'hide a message after publishing it',
        'make a message private again',
        'take a message off my public page',
      ],
      answer:
        'Press “Unpublish” on the message in your profile: it becomes private again and leaves your page within seconds.',
    },
  },
  {
    id: 'reply-to-message',
    related: ['edit-reply', 'publish-message', 'who-sent-this'],
    ar: {
      question: 'كيف أردّ على رسالة؟',
      also: [
        'ازاي ارد على حد بعتلي',
        'كتابة رد',
        'هل يقدر المرسل يشوف ردي',
        'كيف يوصل الرد للمجهول',
        'الرد على رسالة مجهولة',
      ],
      answer: 'اضغط «ردّ» على الرسالة واكتب حتى ١٠٠٠ حرف. يراه المرسل إن كان له حساب، ويراه الجميع إن نشرت الرسالة.',
    },
    en: {
      question: 'How do I reply to a message?',
      also: ['answer a message', 'respond to an anonymous sender', 'does the sender see my reply', 'write back'],
      answer:
        'Press “Reply” on the message and write up to 1,000 characters. The sender sees it if they have an account, and everybody does once you publish the message.',
    },
  },
  {
    id: 'edit-reply',
    related: ['reply-to-message'],
    ar: {
      question: 'هل أستطيع تغيير ردّي؟',
      also: ['تعديل الرد', 'غلطت في الرد', 'احذف ردي', 'كتبت رد خطأ كيف اغيره'],
      answer: 'نعم: ردّ على الرسالة مرة أخرى، فيحلّ ردّك الجديد محلّ القديم. لكل رسالة ردّ واحد.',
    },
    en: {
      question: 'Can I change my reply?',
      also: ['edit a reply', 'replace my answer', 'I made a mistake in my reply', 'delete my reply'],
      answer:
        'Yes: reply to the message again, and the new reply takes the place of the old one. Each message has one reply.',
    },
  },
  {
    id: 'delete-message',
    related: ['unpublish-message', 'bad-messages'],
    ar: {
      question: 'كيف أحذف رسالة وصلتني؟',
      also: [
        'امسح رسالة',
        'ازاي احذف الرسايل',
        'حذف الرسالة نهائيا',
        'هل يمكن استرجاع رسالة محذوفة',
        'استرجاع الرسائل المحذوفة',
      ],
      answer: 'اضغط «حذف» على الرسالة وأكّد. تزول نهائيًا مع ردّك وصورتها وصوتها وبياناتها التقنية، ولا تُسترجع.',
    },
    en: {
      question: 'How do I delete a message I received?',
      also: [
        'remove a message',
        'delete something that somebody wrote to me',
        'erase a message for good',
        'can I restore a deleted message',
        'recover deleted messages',
      ],
      answer:
        'Press “Delete” on the message and confirm. It is gone for good, with your reply, its picture, sound and technical data, and cannot be restored.',
    },
  },
  {
    id: 'filter-messages',
    related: ['read-messages', 'message-stats'],
    ar: {
      question: 'كيف أرتّب رسائلي أو أصفّيها؟',
      also: ['اعرض غير المقروءة فقط', 'ترتيب الاقدم اولا', 'فلترة الرسائل', 'كيف اشوف الرسائل القديمة'],
      answer: 'فوق القائمة في ملفك: الكل، غير المقروءة، المقروءة، المستلمة، المُرسَلة؛ والأحدث أولًا أو الأقدم أولًا.',
    },
    en: {
      question: 'How do I sort or filter my messages?',
      also: ['show only unread', 'oldest first', 'filter the list', 'see older messages'],
      answer: 'Above the list in your profile: all, unread, read, received or sent; newest first or oldest first.',
    },
  },
  {
    id: 'message-stats',
    related: ['filter-messages', 'visit-counter'],
    ar: {
      question: 'أين أجد إحصاءات رسائلي؟',
      also: ['كم رسالة وصلتني', 'عدد رسائلي', 'احصائيات الرسائل', 'كم رسالة غير مقروءة عندي'],
      answer: 'في ملفك بطاقة تعدّ رسائلك: المستلمة، والمقروءة، وغير المقروءة، والمُرسَلة.',
    },
    en: {
      question: 'Where are my message statistics?',
      also: ['how many messages did I get', 'message counts', 'number of unread messages', 'stats'],
      answer: 'A card in your profile counts them: received, read, unread and sent.',
    },
  },
  {
    id: 'notifications',
    related: ['read-messages'],
    ar: {
      question: 'هل تصلني إشعارات بالرسائل الجديدة؟',
      also: ['كيف اعرف اذا جاتني رسالة', 'تنبيه عند وصول رسالة', 'ما يوصلني اشعار', 'تفعيل الاشعارات', 'زر الجرس'],
      answer: 'لا تُرسل نجوى إشعارات إلى البريد أو الهاتف. افتح ملفك لترى الجديد؛ عليه علامة حمراء.',
    },
    en: {
      question: 'Do I get notifications of new messages?',
      also: [
        'how do I know that a message arrived',
        'turn on notifications',
        'no notification',
        'what does the bell do',
      ],
      answer:
        'Najwa sends no notifications to e-mail or phone. Open your profile to see what is new; it has a red mark.',
    },
  },
  {
    id: 'bad-messages',
    related: ['delete-message', 'who-sent-this', 'are-messages-private'],
    ar: {
      question: 'وصلتني رسائل مسيئة، ماذا أفعل؟',
      also: [
        'حد بيشتمني',
        'وصلني كلام جارح',
        'كيف أحظر شخص يرسل لي',
        'ابلاغ عن رسالة',
        'واحد يزعجني برسائل',
        'تنمر وتهديد في الرسائل',
        'بلوك للمرسل',
      ],
      answer:
        'احذفها ولا تنشرها؛ فلن يراها غيرك في صفحتك. لا يوجد حاليًا حظر ولا بلاغ من داخل الموقع. وإن هدّدك أحد فاحتفظ بالرسالة والجأ إلى من تثق به وإلى الجهات المختصّة في بلدك.',
    },
    en: {
      question: 'I get abusive messages. What can I do?',
      also: [
        'somebody insults me',
        'block a sender',
        'report a message',
        'someone is harassing me',
        'bullying and threats',
      ],
      answer:
        'Delete them and do not publish them: nobody else sees them on your page. There is no blocking or reporting inside the site at present. If somebody threatens you, keep the message and turn to people you trust and to the authorities where you live.',
    },
  },
  {
    id: 'stop-receiving',
    related: ['who-can-open', 'bad-messages'],
    ar: {
      question: 'هل أستطيع إيقاف استقبال الرسائل؟',
      also: ['ابغى اوقف الرسائل مؤقتا', 'كيف اعطل الاستقبال', 'ما ابي احد يرسل لي'],
      answer:
        'لا يوجد حاليًا زر لإيقاف الاستقبال: كل من معه رابطك يستطيع أن يكتب. تستطيع أن تزيل الرابط حيث نشرته، وأن تحذف ما لا تريده.',
    },
    en: {
      question: 'Can I stop receiving messages?',
      also: ['pause my inbox', 'turn off messages for a while', 'I do not want anybody to write to me'],
      answer:
        'There is no switch for it at present: whoever has your link can write. You can take the link down where you shared it, and delete what you do not want.',
    },
  },
  {
    id: 'messages-expire',
    related: ['delete-message', 'how-long-kept'],
    ar: {
      question: 'هل تختفي الرسائل بعد مدة؟',
      also: ['كم تبقى الرسائل عندي', 'هل تنحذف الرسائل لوحدها', 'الرسائل تروح لحالها'],
      answer: 'لا. تبقى الرسالة إلى أن تحذفها أنت. ما يُحذف بعد مدة هو بيانات الإرسال التقنية وحدها.',
    },
    en: {
      question: 'Do messages disappear after a while?',
      also: ['how long do messages stay', 'are messages deleted automatically', 'do messages expire'],
      answer:
        'No. A message stays until you delete it. Only the technical data of the sending is deleted after a time.',
    },
  },
  {
    id: 'view-picture',
    related: ['read-messages', 'delete-message'],
    ar: {
      question: 'كيف أكبّر صورة وصلتني أو أحفظها؟',
      also: ['كيف انزل الصورة اللي جاتني', 'تكبير الصورة في الرسالة', 'حفظ صورة من رسالة'],
      answer: 'اضغط الصورة في الرسالة، فتُفتح كاملة، ومعها زر «تنزيل».',
    },
    en: {
      question: 'How do I enlarge or save a picture I received?',
      also: ['download a picture from a message', 'see the image in full size', 'zoom into a photo'],
      answer: 'Press the picture in the message: it opens in full size, with a button for downloading it.',
    },
  },
];
