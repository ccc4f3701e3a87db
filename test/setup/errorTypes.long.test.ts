import { beforeAll, describe, expect, test } from 'vitest'
import { entryPoints as sources } from '../../.config/entryPoints.ts'
import { type ExportedFunction, exportedFunctions } from './thrownErrors.ts'

/**
 * Every public function declares the errors that it can throw in `declare namespace f { type ErrorType = … }`: none may be missing,
 * and none superfluous. A function that throws no redeemkit error needs no `ErrorType`.
 */

const entryPoints = Object.values(sources)

/** Rejections of timers and signals, which no `throw` shows. They may be declared. */
const rejections: readonly string[] = ['RequestAbortedError', 'ServiceTimeoutError']

/** Errors that the source does not show, by function: thrown in a callback, by a promise that is passed on, or by viem's transport. */
const handedIn: Readonly<Record<string, readonly string[]>> = {
  createSandbox: ['HttpRequestError', 'TimeoutError'],
  prepareRedeem: ['ChainReadError', 'WrongNetworkError'],
  redeem: ['RedeemWouldFailError'],
  resumeRedeem: ['RedeemWouldFailError'],
  startSandbox: ['HttpRequestError', 'TimeoutError'],
}

/** Thrown by rules in a table, and caught by the caller of the table (`judgeRules`): the reader sees the table alone. */
const kept: readonly string[] = ['RuleNotJudgedError']

let functions: ReturnType<typeof exportedFunctions>
beforeAll(() => {
  functions = exportedFunctions(entryPoints)
}, 300_000)

/** Describes what is wrong with the `ErrorType` of a function. */
function problemsOf({ name, file, declared, thrown }: ExportedFunction): string[] {
  const sorted = (names: Iterable<string>) => [...names].sort().join(' | ')
  if (declared === undefined)
    return thrown.size === 0 ? [] : [`${name} (${file}) has no ErrorType, and throws ${sorted(thrown)}`]
  const missing = [...thrown].filter((error) => !declared.has(error) && !kept.includes(error))
  const known = [...rejections, ...(handedIn[name] ?? [])]
  const superfluous = [...declared].filter((error) => !thrown.has(error) && !known.includes(error))
  return [
    ...(missing.length === 0 ? [] : [`${name} (${file}) does not say that it throws ${sorted(missing)}`]),
    ...(superfluous.length === 0 ? [] : [`${name} (${file}) never throws ${sorted(superfluous)}`]),
  ]
}

describe('a public function declares exactly what it throws', () => {
  test.each(entryPoints)('%s', (entryPoint) => {
    expect(functions.get(entryPoint)?.flatMap(problemsOf)).toEqual([])
  })

  describe('the reader', () => {
    const thrownBy = (entryPoint: string, name: string) =>
      functions.get(entryPoint)?.find((one) => one.name === name)?.thrown

    test('finds the errors of called functions, except caught ones', () => {
      const evm = 'src/redeemkit/evm/index.ts'
      expect([...(thrownBy(evm, 'isIntentBoundNonce') ?? [])]).toEqual(['InvalidHexError'])
      expect([...(thrownBy(evm, 'parseSiweMessage') ?? [])]).toEqual(['InvalidAuthMessageError'])
      expect([...(thrownBy(evm, 'inspect') ?? ['none'])]).toEqual([])
      expect(thrownBy(evm, 'signCreditPermit')).toContain('UserRejectedError')
    })

    test('finds what a signer returned by an async function throws', () => {
      expect(thrownBy('src/redeemkit/stellar/index.ts', 'signTransaction')).toContain('WrongNetworkError')
    })

    test('omits errors that a handler of every BaseError catches', () => {
      expect(thrownBy('src/redeemkit/stellar/index.ts', 'inspect')).not.toContain('AuthMessageExpiredError')
    })

    test('includes the rejection of a new Promise', () => {
      expect([...(thrownBy('src/sandbox/index.ts', 'startAnvil') ?? [])].sort()).toEqual([
        'AnvilNotInstalledError',
        'AnvilStartError',
        'ChainConnectionError',
        'ForkOriginError',
        'InvalidSandboxOptionsError',
        'RpcRequestError',
      ])
    })

    test("omits errors of the service's route handlers, but not those of the sandbox", () => {
      const thrown = thrownBy('src/sandbox/index.ts', 'createSandbox')
      expect(thrown).not.toContain('ServiceProblem')
      expect(thrown).toContain('FolderInUseError')
    })
  })
})
