import type { KnowledgeEntry } from './entry.js';

export const sending: readonly KnowledgeEntry[] = [
  {
    id: 'send-message',
    related: ['am-i-anonymous', 'send-picture', 'send-voice'],
    ar: {
      question: 'كيف أرسل رسالة؟',
      also: [
        'ازاي ابعت رسالة لحد',
        'كيف اكتب لشخص',
        'ابغى ارسل رسالة مجهولة',
        'شلون ادز رسالة',
        'طريقة إرسال رسالة سرية',
        'كيف أراسل صديقي',
      ],
      answer: 'افتح رابط من تريد أن تكتب له، واكتب رسالتك واضغط «أرسل». تصل من دون اسمك.',
    },
    en: {
      question: 'How do I send a message?',
      also: ['how to write to someone', 'send an anonymous message', 'message a friend', 'how can I write to a person'],
      answer:
        'Open the link of whoever you want to write to, write your message and press “Send”. It arrives without your name.',
    },
  },
  {
    id: 'need-account-to-send',
    related: ['send-message', 'create-account'],
    ar: {
      question: 'هل أحتاج إلى حساب لأرسل رسالة؟',
      also: [
        'لازم اسجل عشان ابعت',
        'ارسال بدون حساب',
        'هل يلزم التسجيل لإرسال رسالة',
        'اقدر ارسل من غير تسجيل دخول',
        'لازم حساب عشان أرسل',
      ],
      answer: 'لا. تكتب لأي شخص من دون حساب. الحساب يفيدك إن أردت أن تجد ما أرسلته والردود عليه، أو أن تستقبل رسائل.',
    },
    en: {
      question: 'Do I need an account to send a message?',
      also: [
        'can I write without signing up',
        'send without registering',
        'is an account required to send',
        'write without logging in',
      ],
      answer:
        'No. Anyone can write without an account. With one you find again what you sent and the replies to it, and you can receive messages.',
    },
  },
  {
    id: 'message-length',
    related: ['send-message', 'send-voice'],
    ar: {
      question: 'ما أقصى طول للرسالة؟',
      also: ['كم حرف مسموح في الرسالة', 'الرسالة طويلة ما تنرسل', 'حد الحروف', 'كم عدد الأحرف', 'اكبر رسالة كم'],
      answer: '٧٠٠ حرف، ويظهر العدّاد وأنت تكتب. إن كان عندك أكثر فاقسمه على رسالتين.',
    },
    en: {
      question: 'How long can a message be?',
      also: ['maximum number of characters', 'character limit', 'my message is too long', 'max message length'],
      answer: '700 characters, with a counter as you write. If you have more to say, split it into two messages.',
    },
  },
  {
    id: 'send-picture',
    related: ['picture-problem', 'picture-metadata'],
    ar: {
      question: 'هل أستطيع إرسال صورة مع الرسالة؟',
      also: ['كيف ارفق صورة', 'ازاي ابعت صوره', 'ارسال صورة في الرسالة', 'ممكن احط صورة مع كلامي', 'بدي ابعت صورة'],
      answer: 'نعم: اضغط «صورة» تحت الرسالة واختر ملفًا حتى ٥ ميغابايت. الصورة تُرسل مع نص، لا وحدها.',
    },
    en: {
      question: 'Can I send a picture with a message?',
      also: ['attach an image to a message', 'how do I add a photo', 'send photo', 'include a pic'],
      answer:
        'Yes: press “Image” below the message and choose a file of up to 5 MB. A picture goes together with a text, not alone.',
    },
  },
  {
    id: 'picture-problem',
    related: ['send-picture'],
    ar: {
      question: 'لماذا لا تُقبل الصورة في الرسالة؟',
      also: [
        'نوع الملف غير مدعوم',
        'حجم الملف كبير',
        'الصورة ثقيلة لا تُرفع',
        'الصورة ما ترضى تنرفع',
        'ما هي أنواع الصور المدعومة',
        'كم حجم الصورة المسموح',
      ],
      answer: 'لأنها أكبر من ٥ ميغابايت، أو لأن الملف ليس صورة. تُقبل JPG وPNG وWebP وGIF وAVIF.',
    },
    en: {
      question: 'Why is my picture not accepted?',
      also: [
        'unsupported file type',
        'file size too large',
        'which image formats are supported',
        'image upload problem',
        'maximum picture size',
      ],
      answer: 'It is over 5 MB, or the file is no picture. JPG, PNG, WebP, GIF and AVIF are taken.',
    },
  },
  {
    id: 'emoji',
    related: ['suggested-question', 'send-message'],
    ar: {
      question: 'كيف أضيف رموزًا تعبيرية؟',
      also: ['وين الايموجي', 'اضافة سمايلات للرسالة', 'هل فيه ايموجي'],
      answer: 'اضغط «رموز» تحت الرسالة واختر ما تريد، أو استعمل لوحة مفاتيحك.',
    },
    en: {
      question: 'How do I add emoji?',
      also: ['where are the emojis', 'insert a smiley', 'emoji panel'],
      answer: 'Press “Emoji” below the message and pick one, or use your own keyboard.',
    },
  },
  {
    id: 'suggested-question',
    related: ['send-message', 'emoji'],
    ar: {
      question: 'لا أعرف ماذا أكتب، هل تقترح عليّ؟',
      also: ['اقترح سؤال', 'اعطني فكرة رسالة', 'ما عندي شي اكتبه', 'زر الأسئلة المقترحة', 'ايش اكتب له'],
      answer: 'اضغط «اقترح سؤالًا» تحت الرسالة، فيملؤها بسؤال جاهز تعدّله كما تشاء. واضغط مرة أخرى لغيره.',
    },
    en: {
      question: "I don't know what to write. Any ideas?",
      also: [
        'suggest a question',
        'give me an idea for a message',
        'what should I write',
        'suggested questions button',
      ],
      answer:
        'Press “Suggest” below the message: it fills in a ready question, which you may change. Press again for another.',
    },
  },
  {
    id: 'sent-messages',
    related: ['delete-sent', 'see-reply'],
    ar: {
      question: 'أين أجد الرسائل التي أرسلتها؟',
      also: ['وين رسائلي المرسلة', 'ازاي اشوف اللي بعته', 'الرسائل المرسلة', 'كيف اعرف اني ارسلت'],
      answer:
        'في ملفك، اختر «المُرسَلة» فوق القائمة. تجد فيها ما أرسلته وأنت داخل حسابك؛ ما أُرسل من دون حساب لا يُربط بك.',
    },
    en: {
      question: 'Where are the messages I sent?',
      also: ['see my sent messages', 'find what I have sent', 'sent list'],
      answer:
        'In your profile, choose “Sent” above the list. It holds what you sent while signed in; what was sent without an account is not tied to you.',
    },
  },
  {
    id: 'delete-sent',
    related: ['edit-message', 'sent-messages'],
    ar: {
      question: 'هل أستطيع سحب رسالة أرسلتها؟',
      also: ['بعت رسالة بالغلط', 'كيف أحذف رسالة ارسلتها', 'التراجع عن الإرسال', 'الغاء رسالة مرسلة'],
      answer: 'حذفها يزيلها من قائمتك أنت، وتبقى عند من وصلته. لا يمكن سحب رسالة بعد إرسالها.',
    },
    en: {
      question: 'Can I take back a message I sent?',
      also: ['unsend a message', 'delete a sent message', 'I sent it by mistake', 'undo sending'],
      answer:
        'Deleting it takes it off your own list, and it stays with whoever received it. A message cannot be called back once it is sent.',
    },
  },
  {
    id: 'edit-message',
    related: ['delete-sent', 'send-message'],
    ar: {
      question: 'هل أستطيع تعديل رسالة بعد إرسالها؟',
      also: ['غلطت في الرسالة كيف أعدلها', 'تعديل رسالة مرسلة', 'اصلح خطأ املائي في الرسالة'],
      answer: 'لا، الرسالة لا تتغيّر بعد إرسالها. أرسل رسالة أخرى تصحّح فيها ما تريد.',
    },
    en: {
      question: 'Can I edit a message after sending it?',
      also: ['change a sent message', 'fix a typo in my message', 'edit what I sent'],
      answer: 'No, a message stays as it was sent. Send another one to put right what you want.',
    },
  },
  {
    id: 'sending-limits',
    related: ['message-problem'],
    ar: {
      question: 'كم رسالة أستطيع أن أرسل؟',
      also: [
        'لماذا يطلب مني الانتظار قبل الإرسال',
        'ارسلت رسائل كثيرة ووقف',
        'حد عدد الرسائل في الدقيقة',
        'يقول انتظر قليلا',
      ],
      answer: 'عشر رسائل في الدقيقة، وستّ رسائل صوتية. بعدها ينتظر الموقع قليلًا، حتى لا يُغرق أحد صندوق أحد.',
    },
    en: {
      question: 'How many messages can I send?',
      also: [
        'why do I have to wait before sending',
        'too many messages',
        'message limit per minute',
        'it says wait a little',
      ],
      answer:
        'Ten a minute, and six voice messages. Then the site has you wait a little, so that nobody can flood an inbox.',
    },
  },
  {
    id: 'message-problem',
    related: ['sending-limits', 'picture-problem'],
    ar: {
      question: 'لماذا لم تُرسل رسالتي؟',
      also: [
        'فشل إرسال الرسالة',
        'الرسالة ما راحت',
        'الرساله مش راضيه تتبعت',
        'مشكلة في ارسال الرسائل',
        'زر الارسال لا يعمل',
      ],
      answer:
        'اقرأ ما كُتب تحت «فشل إرسال الرسالة»؛ أكثر الأسباب انقطاع الاتصال أو ملف كبير. أعد المحاولة: الرسالة لا تصل مرتين.',
    },
    en: {
      question: 'Why was my message not sent?',
      also: ['message failed', 'sending does not work', 'my message is not going through', 'send button is broken'],
      answer:
        'Read what stands below “Message failed”; most often the connection broke or a file is too large. Try again: a message never arrives twice.',
    },
  },
  {
    id: 'see-reply',
    related: ['sent-messages', 'need-account-to-send'],
    ar: {
      question: 'كيف أرى الردّ على رسالتي؟',
      also: ['وين اشوف رده علي', 'هل رد علي صاحب الصفحة', 'كيف اعرف انه رد', 'ازاي اشوف الرد على رسالتي'],
      answer:
        'إن كنت داخل حسابك حين أرسلت، فالردّ في «المُرسَلة» في ملفك. وإن نشر صاحب الصفحة رسالتك ظهرت مع ردّه في صفحته.',
    },
    en: {
      question: 'How do I see the reply to my message?',
      also: ['did they answer me', 'where is the answer to what I wrote', 'see their response'],
      answer:
        'If you were signed in when you sent it, the reply is under “Sent” in your profile. If the owner published your message, it stands on their page with the reply.',
    },
  },
  {
    id: 'send-file',
    related: ['send-picture', 'send-voice'],
    ar: {
      question: 'هل أستطيع إرسال فيديو أو ملف؟',
      also: ['ابعت فيديو في الرسالة', 'ارسال ملف pdf', 'رفع مقطع صوتي جاهز'],
      answer: 'لا. الرسالة نص معه صورة إن شئت، أو تسجيل صوتي من الموقع نفسه. الفيديو والملفات الأخرى غير متاحة.',
    },
    en: {
      question: 'Can I send a video or a file?',
      also: ['attach a video', 'send a pdf document', 'upload an mp3'],
      answer:
        'No. A message is a text, with a picture if you like, or a recording made on the site itself. Videos and other files are not possible.',
    },
  },
];
