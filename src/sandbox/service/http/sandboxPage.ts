import type { Context } from 'hono'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { readBody, readBytes } from './readBody.ts'
import type { AppEnv } from './route.ts'

/** Reads the answer that the page's form, or a program as JSON, posts to a sandbox page. */
export async function readAnswer<const word extends string>(
  context: Context<AppEnv>,
  answers: readonly [word, ...word[]],
): Promise<{ answer: word; isForm: boolean }> {
  const body = z.strictObject({ answer: z.enum(answers) })
  const isForm = context.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
  if (!isForm) return { answer: (await readBody(context, body)).answer, isForm }
  const text = new TextDecoder().decode(await readBytes(context.req.raw))
  const form = parseRecord(body, Object.fromEntries(new URLSearchParams(text)), { record: 'The form' })
  return { answer: form.answer, isForm }
}

/** Creates a page with one question: HTML without scripts, whose buttons post `answer` to the page's own URL. */
export function sandboxPage(page: {
  title: string
  text: string
  answers?: readonly (readonly [value: string, label: string])[]
}): Response {
  const { title, text, answers = [] } = page
  const buttons = answers.map(
    ([value, label]) => `<button name="answer" value="${escaped(value)}">${escaped(label)}</button>`,
  )
  const form = answers.length === 0 ? '' : `<form method="post">${buttons.join(' ')}</form>`
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title>` +
      `<style>${style}</style>` +
      `<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</main></html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
        // With `no-referrer`, browsers would send the form with the origin "null".
        'referrer-policy': 'same-origin',
      },
    },
  )
}

/** A layout for both a window and the card form's iframe. */
const style =
  ':root{color-scheme:light dark}body{margin:0;background:light-dark(#fff,#1a1d23);color:light-dark(#16181d,#eceef2);font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:32rem;margin:0 auto;padding:clamp(1.25rem,8vh,4rem) 1.25rem}h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25}p{margin:0 0 1.25rem;color:light-dark(#565d6b,#a9b0bd)}' +
  'form{display:flex;flex-wrap:wrap;gap:.6rem}button{flex:1 1 10rem;min-height:2.9rem;padding:.5rem 1rem;border:1px solid light-dark(#868e9c,#6d7583);border-radius:8px;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}' +
  'button:first-child{border-color:transparent;background:light-dark(#1f54c9,#8fb4ff);color:light-dark(#fff,#0d1526)}button:focus-visible{outline:3px solid light-dark(#1f54c9,#8fb4ff);outline-offset:1px}'

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
