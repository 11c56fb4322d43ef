export const notFound = {
  title: 'الصفحة غير موجودة',
  leaving_zero: 'سنعيدك إلى الرئيسية <n>الآن</n>.',
  leaving_one: 'سنعيدك إلى الرئيسية خلال <n>ثانية</n>.',
  leaving_two: 'سنعيدك إلى الرئيسية خلال <n>ثانيتين</n>.',
  leaving_few: 'سنعيدك إلى الرئيسية خلال <n>{{count, digits}}</n> ثوانٍ.',
  leaving_many: 'سنعيدك إلى الرئيسية خلال <n>{{count, digits}}</n> ثانية.',
  leaving_other: 'سنعيدك إلى الرئيسية خلال <n>{{count, digits}}</n> ثانية.',
};
