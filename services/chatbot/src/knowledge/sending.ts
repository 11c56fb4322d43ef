import type { KnowledgeEntry } from './entry.js';

export const sending: readonly KnowledgeEntry[] = [
  {
    id: 'send-message',
    related: ['am-i-anonymous', 'send-picture', 'send-voice'],
    ar: {
      question: 'كيف أرسل رسالة؟',
      answer: 'افتح رابط من تريد أن تكتب له، واكتب رسالتك واضغط «أرسل». تصل من دون اسمك.',
    },
    en: {
      question: 'How do I send a message?',
      answer:
        'Open the link of whoever you want to write to, write your message and press “Send”. It arrives without your name.',
    },
  },
  {
    id: 'need-account-to-send',
    related: ['send-message', 'create-account'],
    ar: {
      question: 'هل أحتاج إلى حساب لأرسل رسالة؟',
      answer: 'لا. تكتب لأي شخص من دون حساب. الحساب يفيدك إن أردت أن تجد ما أرسلته والردود عليه، أو أن تستقبل رسائل.',
    },
    en: {
      question: 'Do I need an account to send a message?',
      answer:
        'No. Anyone can write without an account. With one you find again what you sent and the replies to it, and you can receive messages.',
    },
  },
  {
    id: 'message-length',
    related: ['send-message', 'send-voice'],
    ar: {
      question: 'ما أقصى طول للرسالة؟',
      answer: '٧٠٠ حرف، ويظهر العدّاد وأنت تكتب. إن كان عندك أكثر فاقسمه على رسالتين.',
    },
    en: {
      question: 'How long can a message be?',
      answer: '700 characters, with a counter as you write. If you have more to say, split it into two messages.',
    },
  },
  {
    id: 'send-picture',
    related: ['picture-problem', 'picture-metadata'],
    ar: {
      question: 'هل أستطيع إرسال صورة مع الرسالة؟',
      answer: 'نعم: اضغط «صورة» تحت الرسالة واختر ملفًا حتى ٥ ميغابايت. الصورة تُرسل مع نص، لا وحدها.',
    },
    en: {
      question: 'Can I send a picture with a message?',
      answer:
        'Yes: press “Image” below the message and choose a file of up to 5 MB. A picture goes together with a text, not alone.',
    },
  },
  {
    id: 'picture-problem',
    related: ['send-picture'],
    ar: {
      question: 'لماذا لا تُقبل الصورة في الرسالة؟',
      answer: 'لأنها أكبر من ٥ ميغابايت، أو لأن الملف ليس صورة. تُقبل JPG وPNG وWebP وGIF وAVIF.',
    },
    en: {
      question: 'Why is my picture not accepted?',
      answer: 'It is over 5 MB, or the file is no picture. JPG, PNG, WebP, GIF and AVIF are taken.',
    },
  },
  {
    id: 'emoji',
    related: ['suggested-question', 'send-message'],
    ar: {
      question: 'كيف أضيف رموزًا تعبيرية؟',
      answer: 'اضغط «رموز» تحت الرسالة واختر ما تريد، أو استعمل لوحة مفاتيحك.',
    },
    en: {
      question: 'How do I add emoji?',
      answer: 'Press “Emoji” below the message and pick one, or use your own keyboard.',
    },
  },
  {
    id: 'suggested-question',
    related: ['send-message', 'emoji'],
    ar: {
      question: 'لا أعرف ماذا أكتب، هل تقترح عليّ؟',
      answer: 'اضغط «اقترح سؤالًا» تحت الرسالة، فيملؤها بسؤال جاهز تعدّله كما تشاء. واضغط مرة أخرى لغيره.',
    },
    en: {
      question: "I don't know what to write. Any ideas?",
      answer:
        'Press “Suggest” below the message: it fills in a ready question, which you may change. Press again for another.',
    },
  },
  {
    id: 'sent-messages',
    related: ['delete-sent', 'see-reply'],
    ar: {
      question: 'أين أجد الرسائل التي أرسلتها؟',
      answer:
        'في ملفك، اختر «المُرسَلة» فوق القائمة. تجد فيها ما أرسلته وأنت داخل حسابك؛ ما أُرسل من دون حساب لا يُربط بك.',
    },
    en: {
      question: 'Where are the messages I sent?',
      answer:
        'In your profile, choose “Sent” above the list. It holds what you sent while signed in; what was sent without an account is not tied to you.',
    },
  },
  {
    id: 'delete-sent',
    related: ['edit-message', 'sent-messages'],
    ar: {
      question: 'هل أستطيع سحب رسالة أرسلتها؟',
      answer: 'حذفها يزيلها من قائمتك أنت، وتبقى عند من وصلته. لا يمكن سحب رسالة بعد إرسالها.',
    },
    en: {
      question: 'Can I take back a message I sent?',
      answer:
        'Deleting it takes it off your own list, and it stays with whoever received it. A message cannot be called back once it is sent.',
    },
  },
  {
    id: 'edit-message',
    related: ['delete-sent', 'send-message'],
    ar: {
      question: 'هل أستطيع تعديل رسالة بعد إرسالها؟',
      answer: 'لا، الرسالة لا تتغيّر بعد إرسالها. أرسل رسالة أخرى تصحّح فيها ما تريد.',
    },
    en: {
      question: 'Can I edit a message after sending it?',
      answer: 'No, a message stays as it was sent. Send another one to put right what you want.',
    },
  },
  {
    id: 'sending-limits',
    related: ['message-problem'],
    ar: {
      question: 'كم رسالة أستطيع أن أرسل؟',
      answer: 'عشر رسائل في الدقيقة، وستّ رسائل صوتية. بعدها ينتظر الموقع قليلًا، حتى لا يُغرق أحد صندوق أحد.',
    },
    en: {
      question: 'How many messages can I send?',
      answer:
        'Ten a minute, and six voice messages. Then the site has you wait a little, so that nobody can flood an inbox.',
    },
  },
  {
    id: 'message-problem',
    related: ['sending-limits', 'picture-problem'],
    ar: {
      question: 'لماذا لم تُرسل رسالتي؟',
      answer:
        'اقرأ ما كُتب تحت «فشل إرسال الرسالة»؛ أكثر الأسباب انقطاع الاتصال أو ملف كبير. أعد المحاولة: الرسالة لا تصل مرتين.',
    },
    en: {
      question: 'Why was my message not sent?',
      answer:
        'Read what stands below “Message failed”; most often the connection broke or a file is too large. Try again: a message never arrives twice.',
    },
  },
  {
    id: 'see-reply',
    related: ['sent-messages', 'need-account-to-send'],
    ar: {
      question: 'كيف أرى الردّ على رسالتي؟',
      answer:
        'إن كنت داخل حسابك حين أرسلت، فالردّ في «المُرسَلة» في ملفك. وإن نشر صاحب الصفحة رسالتك ظهرت مع ردّه في صفحته.',
    },
    en: {
      question: 'How do I see the reply to my message?',
      answer:
        'If you were signed in when you sent it, the reply is under “Sent” in your profile. If the owner published your message, it stands on their page with the reply.',
    },
  },
  {
    id: 'send-file',
    related: ['send-picture', 'send-voice'],
    ar: {
      question: 'هل أستطيع إرسال فيديو أو ملف؟',
      answer: 'لا. الرسالة نص معه صورة إن شئت، أو تسجيل صوتي من الموقع نفسه. الفيديو والملفات الأخرى غير متاحة.',
    },
    en: {
      question: 'Can I send a video or a file?',
      answer:
        'No. A message is a text, with a picture if you like, or a recording made on the site itself. Videos and other files are not possible.',
    },
  },
];
