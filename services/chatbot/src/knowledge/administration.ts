import type { KnowledgeEntry } from './entry.js';

/** The administrators' pages. */
export const administration: readonly KnowledgeEntry[] = [
  {
    id: 'admin-pages',
    related: ['who-are-admins', 'admin-conversations', 'audit-log'],
    ar: {
      question: 'ماذا في لوحة الإدارة؟',
      answer:
        'تظهر «لوحة الإدارة» للمشرفين في قائمة الحساب، وفيها ثلاثة أقسام: التتبّع، وفيه بحث بكلمات الرسالة أو باسم المستلم؛ والمحادثات مع المساعد؛ وحساب. من ليس مشرفًا يرى أن الصفحة ليست له.',
    },
    en: {
      question: 'What is in the admin panel?',
      answer:
        'Administrators find “Admin panel” in their account menu. It has three tabs: tracking, which can be searched by words of a message or by recipient; conversations with the assistant; and account. Anybody else sees that the page is not for them.',
    },
  },
  {
    id: 'admin-conversations',
    related: ['assistant-privacy', 'audit-log'],
    ar: {
      question: 'كيف يحذف المشرف محادثات المساعد؟',
      answer:
        'في قسم «المحادثات» من لوحة الإدارة: يحذف محادثة واحدة أو كل المحادثات معًا، بعد تأكيد. لا يمكن التراجع عن ذلك.',
    },
    en: {
      question: 'How does an administrator delete conversations of the assistant?',
      answer:
        'On the tab “Chatbot” of the admin panel: one conversation or all of them at once, after a confirmation. It cannot be undone.',
    },
  },
  {
    id: 'audit-log',
    related: ['who-are-admins', 'admin-pages'],
    ar: {
      question: 'هل يُسجَّل ما يطّلع عليه المشرفون؟',
      answer:
        'نعم. كل قراءة لبيانات التتبّع أو للمحادثات، وكل حذف لمحادثة وكل إنشاء لحساب مشرف، يُكتب في سجلّ: من، وماذا، ومتى. السجلّ يراه المشرفون وحدهم.',
    },
    en: {
      question: 'Is it recorded what administrators look at?',
      answer:
        'Yes. Every reading of tracking data or conversations, every deletion of a conversation and every new administrator goes into a log: who, what and when. Only administrators see it.',
    },
  },
  {
    id: 'create-admin',
    related: ['who-are-admins', 'admin-pages'],
    ar: {
      question: 'كيف يُنشأ حساب مشرف؟',
      answer:
        'حساب المشرف لا يُطلب من الموقع: ينشئه من يملك كلمة المرور السرّية للمطوّر، من قسم «حساب» في لوحة الإدارة أو من صفحته الخاصة.',
    },
    en: {
      question: 'How is an administrator account created?',
      answer:
        'It cannot be applied for: whoever has the developer secret creates it, on the tab “Account” of the admin panel or on the page made for it.',
    },
  },
];
