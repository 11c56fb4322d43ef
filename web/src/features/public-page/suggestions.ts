import type { Language } from '../../i18n/index.js';

/** Questions for visitors who do not know what to write. */
export const suggestions: Record<Language, readonly string[]> = {
  ar: [
    'ما أجمل نصيحة تلقّيتها في حياتك؟',
    'لو عاد بك الزمن، ماذا كنت ستقول لنفسك؟',
    'ما الشيء الذي لا يعرفه الناس عنك؟',
    'ما أكثر لحظة شعرت فيها بالفخر؟',
    'ما الحلم الذي لم تتخلَّ عنه بعد؟',
    'من الشخص الذي غيّر حياتك، وكيف؟',
    'ما الكتاب الذي تنصح به كل من تعرفه؟',
    'ما المكان الذي تشعر فيه أنك أنت؟',
    'ما العادة التي تتمنى لو بدأتها مبكرًا؟',
    'ما أصعب قرار اتخذته؟',
    'ما الذي يضحكك مهما كان يومك صعبًا؟',
    'ما الأغنية التي تعيدك إلى ذكرى جميلة؟',
    'كيف تصف نفسك في ثلاث كلمات؟',
    'ما أول شيء تفعله حين تكون وحدك؟',
    'ما الصفة التي تقدّرها أكثر في الأصدقاء؟',
    'ما الخوف الذي تغلّبت عليه؟',
    'لو كان لك يوم بلا التزامات، كيف تقضيه؟',
    'ما أغرب موقف مررت به؟',
    'ما الشيء الصغير الذي يسعدك كل يوم؟',
    'ما الكلمة التي تتمنى سماعها الآن؟',
    'ما الدرس الذي تعلّمته متأخرًا؟',
    'ما أجمل هدية وصلتك؟',
    'ما الذي تفتقده من طفولتك؟',
    'ما المهنة التي حلمت بها في صغرك؟',
    'من تتصل به أولًا حين يصلك خبر سعيد؟',
    'ما الشيء الذي غيّرت رأيك فيه تمامًا؟',
    'ما أكثر ما يزعجك في المجاملات؟',
    'ما الرسالة التي كتبتها ولم ترسلها؟',
    'أين ترى نفسك بعد خمس سنوات؟',
    'ما الطبخة التي لا تملّ منها؟',
    'ما المدينة التي تريد أن تعيش فيها عامًا كاملًا؟',
    'ما أفضل قرار اتخذته هذا العام؟',
    'متى كانت آخر مرة بكيت فيها من الفرح؟',
    'ما السؤال الذي تتمنى أن يُطرح عليك؟',
    'ما الذي تفعله حين تفقد الحماس؟',
    'ما الشيء الذي تجيده ولا تتحدث عنه؟',
    'لمن تريد أن تقول شكرًا اليوم؟',
    'ما الذكرى التي تبتسم لها دائمًا؟',
    'ما الذي يجعلك تثق بشخص ما؟',
    'لو كتبت كتابًا عن حياتك، ما عنوانه؟',
  ],
  en: [
    'What is the best advice you were ever given?',
    'If you could go back, what would you tell yourself?',
    'What do people not know about you?',
    'When did you feel most proud?',
    'Which dream have you not given up on?',
    'Who changed your life, and how?',
    'Which book do you recommend to everyone?',
    'Where do you feel most like yourself?',
    'Which habit do you wish you had started earlier?',
    'What was the hardest decision you ever made?',
    'What makes you laugh however hard the day was?',
    'Which song takes you back to a good memory?',
    'How would you describe yourself in three words?',
    'What is the first thing you do when you are alone?',
    'Which quality do you value most in friends?',
    'Which fear have you overcome?',
    'How would you spend a day without any duties?',
    'What is the strangest thing that ever happened to you?',
    'Which small thing makes you happy every day?',
    'Which words would you like to hear right now?',
    'Which lesson did you learn late?',
    'What is the nicest gift you ever received?',
    'What do you miss about your childhood?',
    'What did you want to become when you were little?',
    'Whom do you call first when you have good news?',
    'What have you completely changed your mind about?',
    'What bothers you most about empty compliments?',
    'Which message did you write and never send?',
    'Where do you see yourself in five years?',
    'Which dish do you never get tired of?',
    'In which city would you like to live for a year?',
    'What was your best decision this year?',
    'When did you last cry for joy?',
    'Which question do you wish someone would ask you?',
    'What do you do when you lose your drive?',
    'What are you good at and never mention?',
    'Whom would you like to thank today?',
    'Which memory always makes you smile?',
    'What makes you trust someone?',
    'If you wrote a book about your life, what would its title be?',
  ],
};

/** A suggestion takes the place of another one, and is added to what somebody wrote. */
export function suggestInto(
  field: HTMLTextAreaElement | null,
  text: string,
  language: Language,
  setText: (text: string) => void,
): void {
  const all = suggestions[language];
  const former = all.find((question) => text.endsWith(question)) ?? '';
  const choices = all.filter((question) => question !== former);
  const own = text.slice(0, text.length - former.length).trimEnd();
  const next = (own && `${own}\n`) + String(choices[Math.floor(Math.random() * choices.length)]);
  field?.focus();
  field?.select();
  // As if it was typed, so that the browser takes it back.
  if (!document.execCommand('insertText', false, next)) setText(next);
}
