import type { AnyInstruction } from './layout.ts'

/** The instruction on one line, all of it. */
export function describeInstruction({
  program,
  programId,
  name,
  accounts,
  extraAccounts,
  args,
}: AnyInstruction): string {
  const parts = Object.entries({ ...args, ...accounts }).map(
    ([label, value]) => `${label} ${/text|seed/i.test(label) ? quote(value) : value}`,
  )
  return `${program === 'unknown' ? programId : program} ${name} (${[...parts, ...extraAccounts].join(', ')})`
}

/** Text that somebody else wrote: on one line, and nothing in it that a screen does not show as it stands. */
function quote(text: unknown): string {
  return JSON.stringify(text).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u${hidden.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  )
}
