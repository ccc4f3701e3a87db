import { zeroAddress } from 'viem'
import { showText } from '../../../../redeemkit/core/errors/showText.ts'
import { askOrigin } from './askOrigin.ts'
import { ForkOriginError, type ForkProblem } from './errors.ts'
import { showForkUrl } from './showForkUrl.ts'

/**
 * Asks a fork origin what Anvil will need of it, so that what is wrong is told at once and in words: whether it answers, for
 * which chain, and whether it has the block and that block's state.
 *
 * @throws {@link ForkOriginError}
 */
export async function checkForkOrigin(options: checkForkOrigin.Options): Promise<void> {
  const { forkUrl, chainId, forkBlockNumber, timeoutMs = 10_000 } = options
  const fail = (problem: ForkProblem, what: string, fix: string) =>
    new ForkOriginError(`The fork origin ${showForkUrl(forkUrl)} ${what}.`, {
      problem,
      field: problem === 'futureBlock' || problem === 'missingBlock' ? 'forkBlockNumber' : 'forkUrl',
      fix,
    })
  const ask = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    const answer = await askOrigin(forkUrl, { method, params, timeoutMs })
    if ('result' in answer) return answer.result
    const { code, words } = answer.error
    throw fail(
      'failed',
      `answers ${method} with an error${code === undefined ? '' : ` (${code})`}: ${showText(words, 160)}`,
      'Check the key in its address, or take another endpoint.',
    )
  }
  const [chain, head] = await Promise.all([ask('eth_chainId'), ask('eth_blockNumber')])
  const found = readQuantity(chain)
  const newest = readQuantity(head)
  if (found === undefined || newest === undefined)
    throw fail(
      'notJsonRpc',
      `answers eth_chainId and eth_blockNumber with ${showText(JSON.stringify([chain, head]), 80)}`,
      'Give the address of an EVM JSON-RPC endpoint.',
    )
  if (found !== chainId)
    throw fail(
      'otherChain',
      `is an endpoint of chain ${found}, not ${chainId}`,
      'Give an endpoint of the chain that "blockchain" and "environment" name.',
    )
  if (forkBlockNumber === undefined) return
  if (forkBlockNumber > newest)
    throw fail(
      'futureBlock',
      `has no block ${forkBlockNumber} yet: its newest is ${newest}`,
      `Pin a block up to ${newest}, or leave "forkBlockNumber" out.`,
    )
  const block = `0x${forkBlockNumber.toString(16)}`
  const [header, balance] = await Promise.all([
    askOrigin(forkUrl, { method: 'eth_getBlockByNumber', params: [block, false], timeoutMs }),
    askOrigin(forkUrl, { method: 'eth_getBalance', params: [zeroAddress, block], timeoutMs }),
  ])
  const missing = [header, balance].find((answer) => 'error' in answer || answer.result === null)
  if (missing === undefined) return
  const said = 'error' in missing ? `: ${showText(missing.error.words, 160)}` : ''
  throw fail(
    'missingBlock',
    `has not the ${missing === header ? '' : 'state of '}block ${forkBlockNumber}${said}`,
    'Take an endpoint that keeps old blocks and their state (an archive node), or pin a newer block.',
  )
}

export declare namespace checkForkOrigin {
  type Options = {
    /** An address that `isForkUrl` takes. */
    forkUrl: string
    /** The chain that it has to be. */
    chainId: number
    /** The block that it has to have. Default: any. */
    forkBlockNumber?: number | undefined
    /** How long each question may take. Default 10_000. */
    timeoutMs?: number | undefined
  }
  type ErrorType = ForkOriginError
}

/** A number as JSON-RPC writes it, `0x14a34`. */
function readQuantity(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}
