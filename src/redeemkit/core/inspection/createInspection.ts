import { BaseError } from '../errors/baseError.ts'
import { InvalidOptionError } from '../errors/inputErrors.ts'
import { type Finding, finding, verdictOf } from '../finding/finding.ts'
import { summaryOf } from './formatInspection.ts'
import type { Inspection, InspectionDigests } from './inspection.ts'
import { dangersOf, findingSentence, refusal } from './values.ts'

/** Returns a refusal for a request or context that cannot be read. `more` adds its kind and lines. */
export function createRefusal(
  error: unknown,
  code?: 'INVALID_EXPECTATION' | 'MALFORMED',
  more?: Pick<Inspection, 'kind' | 'lines'>,
): Inspection<undefined> {
  const known = error instanceof BaseError ? error : undefined
  const own = error instanceof InvalidOptionError ? 'INVALID_EXPECTATION' : 'MALFORMED'
  const message = known === undefined ? 'The request cannot be read.' : sayWhere(known)
  const found = finding('danger', code ?? own, message, {
    field: known?.field,
    fix: known?.fix ?? 'Do not sign it.',
  })
  return createInspection({
    kind: 'unknown',
    title: { key: 'finding', values: { finding: { type: 'finding', code: found.code, message } } },
    findings: [found],
    details: undefined,
    ...more,
  })
}

/** The findings' messages become the title and lines. */
export function refusedInspection<details = undefined>(
  findings: readonly Finding[],
  details?: details,
): Inspection<details | undefined> {
  return createInspection({
    kind: 'unknown',
    ...refusal(dangersOf(findings).map(findingSentence)),
    findings,
    details,
  })
}

/** A message that starts with a value or a name does not say where the value is. */
const sayWhere = ({ shortMessage, field }: BaseError) =>
  field !== undefined && /^(?:["a-z\d-]|Field )/.test(shortMessage)
    ? `Malformed request (${field}): ${shortMessage}`
    : shortMessage

/** Computes the digests and the summary only when they are read: most callers use the title and lines. */
export function createInspection<details>({
  kind,
  title,
  lines = [],
  moves = [],
  grants = [],
  digests = () => ({}),
  findings,
  details,
}: Pick<Inspection<details>, 'kind' | 'title' | 'findings' | 'details'> &
  Partial<Pick<Inspection, 'moves' | 'grants' | 'lines'>> & {
    digests?: (() => InspectionDigests) | undefined
  }): Inspection<details> {
  const read = { digests: once(digests), summary: once(() => summaryOf({ title, lines })) }
  return {
    kind,
    verdict: verdictOf(findings),
    title,
    lines,
    moves,
    grants,
    get digests() {
      return read.digests()
    },
    findings,
    details,
    get summary() {
      return read.summary()
    },
  }
}

function once<value>(compute: () => value): () => value {
  let computed: { value: value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}
