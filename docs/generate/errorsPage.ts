import { readdirSync } from 'node:fs'
import ts from 'typescript'
import { type WireRemedy, wireErrors } from '../../src/redeemkit/core/errors/wireErrors.ts'
import { english } from '../../src/redeemkit/core/userMessage/userMessages.ts'
import { docsText, sourceFile, src } from './publicApi.ts'

const remedies: Record<WireRemedy, string> = {
  fix: 'The request is wrong. Correct the field that `error.field` or `error.details` names. Never retry it unchanged.',
  logIn: 'Sign in again, or fetch a new session key.',
  stop: 'The same request would fail again. The code says what has to change.',
  backOff: 'Send the same request again later.',
  prepareAgain: 'Prepare the same order again and sign again. `redeem` does this once automatically.',
  show: 'Show the message to the user. Until something changes, the same request fails again.',
  challenge: 'Complete the 3DS challenge, then send the request again.',
  wait: 'Wait as long as `retry-after` says.',
  verify: 'Send the user to `verificationLink`, then to `redirectLink`.',
  tryAgain: 'The service neither accepted nor rejected the call. Make it again.',
  lookUp: 'The outcome is unknown. Check the chain or your webhooks before you pay again.',
}

/** Errors of a submitted redeem that may still execute. */
const open = ['OutcomeUnknownError', 'RedeemTimeoutError', 'RedeemRevertedError']
const resume =
  'Do not pay again. Call `redeem` with the same `purchaseId`: it continues this attempt. See [Reload and retry](../dapp/reload-and-retry.md).'

type ErrorEntry = { name: string; meaning: string[]; wire: string[]; remedy?: WireRemedy }

/** The page of every error that redeemkit throws or the service returns, sorted by name. */
export function errorsPage(): string {
  const entries = new Map<string, ErrorEntry>()
  for (const [name, meaning] of errorClasses()) entries.set(name, { name, meaning: [meaning], wire: [] })
  for (const [code, { status, name, remedy }] of Object.entries(wireErrors)) {
    const entry = entries.get(name) ?? { name, meaning: [], wire: [] }
    entries.set(name, { ...entry, wire: [...entry.wire, `${status} \`${code}\``], remedy })
  }
  const sections = [...entries.values()].sort((a, b) => a.name.localeCompare(b.name)).map(section)
  return `${head}\n${sections.join('\n')}`
}

const head = `# Errors

Every error that redeemkit throws extends \`BaseError\`. \`error.name\` identifies it, and \`switch (error.name)\` narrows its type. \`shortMessage\` says what
failed, \`field\` names the invalid input, \`fix\` says what to do, and \`docs\` leads to the error's entry on this page. Show \`userMessage(error)\` to the customer.

Errors of the service are \`ServiceError\`s with a \`code\` and a \`status\`. After a submit, check \`isOpenRedeemError(error)\` first: if it returns \`true\`, the
payment may still go through.
`

function section({ name, meaning, wire, remedy }: ErrorEntry): string {
  const messages = Object.entries(english).filter(([key]) => key === name || key.startsWith(`${name}.`))
  return [
    `## ${name}`,
    '',
    ...meaning.flatMap((text) => [text, '']),
    ...(wire.length > 0 ? [`**Response of the service:** ${wire.join(', ')}.`, ''] : []),
    ...(remedy === undefined ? [] : [`**What to do:** ${remedies[remedy]}`, '']),
    ...(open.includes(name) ? [`**What to do:** ${resume}`, ''] : []),
    ...(messages.length > 0
      ? ['**The customer reads:**', '', ...messages.map(([, text]) => `- “${text}”`), '']
      : []),
  ].join('\n')
}

/** Every error class of the sources, with the text of its JSDoc. */
function errorClasses(): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.test)\.tsx?$/.test(path) || path.includes('node_modules')) continue
    for (const statement of sourceFile(path).statements) {
      const name = ts.isClassDeclaration(statement) ? (statement.name?.text ?? '') : ''
      if (name.endsWith('Error')) found.set(name, docsText(statement))
    }
  }
  return found
}
