/**
 * A page of the sandbox that asks one question: HTML without scripts, whose buttons post a form to the page's own address.
 *
 * @param page.answers values of the form's field `answer`, with their labels
 */
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
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>` +
      `<style>body{font:16px system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style>` +
      `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
        // With none at all a browser sends its form from the origin "null".
        'referrer-policy': 'same-origin',
      },
    },
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
