import { claimsSignIn } from '../../core/authMessage.ts'
import { quoteText } from '../../core/errors/showValue.ts'
import { finding } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import { line, textValue } from '../../core/inspection/values.ts'
import { instructionLayouts } from '../transaction/instructionLayouts.ts'
import { type DecodedInstruction, isLighthouseAssertion } from '../transaction/readInstruction.ts'
import { accountValue, type Place, partLines, solanaEffect, unasked } from './instructionValues.ts'
import { otherEffect } from './otherPrograms.ts'
import { stakeEffect } from './stakeEffect.ts'
import { programNames, systemEffect } from './systemEffect.ts'
import { hookFinding, tokenAccountEffect, tokenEffect } from './tokenEffect.ts'

export function describeEffect(instruction: DecodedInstruction, data: Uint8Array, place: Place): Effect {
  return knownEffect(instruction, place) ?? otherwise(instruction, data, place)
}

function knownEffect(instruction: DecodedInstruction, place: Place): Effect | undefined {
  if (instruction.name === 'unknown') return undefined
  switch (instruction.program) {
    case 'system':
      return systemEffect(instruction, place)
    case 'stake':
      return stakeEffect(instruction, place)
    case 'token':
      return tokenEffect(instruction, place)
    case 'token2022': {
      const described = tokenEffect(instruction, place)
      const { accounts, extraAccounts, programId } = instruction
      // further signers of a multisig, or the accounts of a transfer hook
      if (described !== undefined && 'source' in accounts && extraAccounts.length > 0)
        described.findings.push(hookFinding(programId))
      return described
    }
    case 'associatedToken':
      return instruction.name === 'recoverNested' ? undefined : tokenAccountEffect(instruction, place)
    case 'memo':
    case 'memoV1':
    case 'memoV4':
      return memoEffect(instruction.args.text)
    case 'computeBudget':
      return solanaEffect('compute', {}, { weight: 0 })
    case 'lighthouse':
      return isLighthouseAssertion(instruction)
        ? solanaEffect('assert', {}, { weight: 0, lines: partLines(instruction, place) })
        : undefined
    default:
      return undefined
  }
}

/** Describes an instruction that has no specific description, or that cannot be decoded. */
function otherwise(instruction: DecodedInstruction, data: Uint8Array, place: Place): Effect {
  const { name, program, programId } = instruction
  if (program === 'unknown') return otherEffect(programId, data, place)
  const values = { program: accountValue(programId, place, programNames[programId]) }
  const lines = [line('program', values.program)]
  if (name !== 'unknown') {
    const named = { name: textValue(name), ...values }
    return solanaEffect('instruction', named, {
      lines: [...lines, ...partLines(instruction, place)],
      findings: [unasked()],
    })
  }
  // A program ignores trailing bytes after the data it needs, so a known instruction with trailing bytes still works.
  const isHidden =
    closedPrograms.includes(program) ||
    (program === 'token2022' &&
      Object.values(instructionLayouts.token2022).some(([number]) => number === data[0]))
  return solanaEffect(isHidden ? 'program.hidden' : 'program.unknown', values, {
    lines,
    findings: [
      finding(
        isHidden ? 'danger' : 'warning',
        'UNKNOWN_INSTRUCTION',
        'The transaction has an instruction that cannot be decoded.',
        {
          fix: isHidden
            ? 'Do not sign it. The instruction could give your money away.'
            : 'Sign it only if you trust the site that asks.',
        },
      ),
    ],
  })
}

/** Programs whose instructions are all known. */
const closedPrograms: readonly string[] = ['system', 'token', 'stake', 'computeBudget']

/** Long enough for the whole statement of a sign-in. */
const longestMemo = 1_000

/** Phrases that suggest a sign-in, in addition to those that `claimsSignIn` matches. */
const signInPattern =
  /\b(?:sign|log)(?:ging|ning)?[\s-]*(?:in|on)\b|\bauthenti|\bauthori[sz]|\bnonce\b|\bverif|\bown(?:er|ership)?\b|\bsession\b/i

function memoEffect(text: string): Effect {
  const isSignIn = claimsSignIn(text)
  const values = { text: textValue(quoteText(text, longestMemo)) }
  return solanaEffect('memo', values, {
    weight: isSignIn ? 2 : 1,
    findings:
      isSignIn || signInPattern.test(text)
        ? [
            finding(isSignIn ? 'danger' : 'warning', 'SIGN_IN', 'The memo reads like a sign-in.', {
              fix: 'Sign it only if you want to sign in to that site.',
            }),
          ]
        : [],
  })
}
