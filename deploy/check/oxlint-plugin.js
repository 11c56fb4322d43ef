const HORIZONTAL_SIDE =
  /(^|[\s;{])(((margin|padding|border|inset|scroll-margin|scroll-padding)-(left|right)(-(width|style|color))?|border-(top|bottom)-(left|right)-radius|left|right)\s*:|(text-align|float|clear)\s*:\s*(left|right)\b)/;

const message =
  'Use logical properties (margin-inline-start, inset-inline-end, text-align: start): every page exists in both directions.';

export default {
  meta: { name: 'najwa' },
  rules: {
    'logical-sides': {
      create: (/** @type {{ report(fault: object): void }} */ context) => ({
        /** @param {{ value: { raw: string } }} node */
        TemplateElement(node) {
          if (HORIZONTAL_SIDE.test(node.value.raw)) context.report({ node, message });
        },
      }),
    },
  },
};
