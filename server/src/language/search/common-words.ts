import { wordsOf } from './tokenizer.ts'

/** Words of nearly every text, in English and German, which say nothing about its subject. */
const common = new Set(
  `a about after all also am an and any are as at be because been but by can cannot could did do does doing for from get got had has have hello help
  hi how i if in into is it its just me my need no not of on one or our out please so some thank thanks that the their them then there they this to
  up us was we what when where which who why will with would you your
  aber alle als am an auch auf aus bei bin bitte danke das dass dem den der des die dies diese doch ein eine einem einen einer er es für habe haben
  hallo hat hier hilfe ich ihr im in ist ja kann kein keine könnte man mehr mein meine mir mit muss nach nicht noch nur oder schon sein seit sich
  sie sind so und uns unter vom von vor war was wenn wer werden wie wieder wir wird wo zu zum zur`
    .split(/\s+/)
    .flatMap(wordsOf),
)

/** Whether a word, as `wordsOf` has it, occurs in texts about anything. */
export const isCommonWord = (word: string): boolean => common.has(word)
