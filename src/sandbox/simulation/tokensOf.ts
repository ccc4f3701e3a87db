import { encodeFunctionData, erc20Abi, erc721Abi, erc1155Abi, type Hex, zeroAddress } from 'viem'
import { sameHex } from '../../redeemkit/evm/values.ts'
import type { CallFrame, ReportedNft } from './redeemReport.ts'
import type { SequenceCall, SequenceResult } from './trace/callInSequence.ts'
import { addressIn } from './trace/frames.ts'
import { type TokenMove, tokenMoves, usdcApprovals } from './trace/moves.ts'

/** `undefined` if the node has pruned the state before or after the redeem. */
export type ReadAround = (calls: readonly SequenceCall[]) => Promise<
  | {
      before: readonly SequenceResult[]
      after: readonly SequenceResult[]
    }
  | undefined
>

export type TokenInTheEnd = Omit<ReportedNft, 'holderIs'> & {
  /** The owner according to the last event of the token. */
  claimed: Hex
  /** Whether the holder already owned the token before the redeem. */
  wasThere: boolean
}

export type AllowanceInTheEnd = { owner: Hex; spender: Hex; before: bigint; after: bigint }

/** Reads the final owners and allowances from the contracts, because an event can claim anything. */
export async function tokensOf(
  root: CallFrame,
  options: {
    readAround: ReadAround
    usdc: Hex
    creditsContract: Hex
    relayer: Hex
    /** The token that was sold, if known. Read even if no event mentions it. */
    sold: { contract: Hex; id: bigint; to: Hex } | undefined
  },
): Promise<{ tokens: readonly TokenInTheEnd[]; allowances: readonly AllowanceInTheEnd[] }> {
  const { readAround, usdc, creditsContract, relayer, sold } = options
  const moved = lastMoves(tokenMoves(root).filter(({ contract }) => !sameHex(contract, usdc)))
  const isIncluded = moved.some(({ contract, id }) => sameHex(contract, sold?.contract) && id === sold?.id)
  const moves = sold === undefined || isIncluded ? moved : [...moved, soldMove(sold)]
  const approvals = usdcApprovals(root, usdc)
    .filter(({ owner }) => !sameHex(owner, creditsContract))
    .slice(0, mostAsked)
  const questions = moves.flatMap((move) => questionsOf(move, [move.to, creditsContract, relayer]))
  const calls = [
    ...questions.map(({ call }) => call),
    ...approvals.map(({ owner, spender }) => allowanceCall(usdc, owner, spender)),
  ]
  if (calls.length === 0) return { tokens: [], allowances: [] }
  const seen = await readAround(calls)
  // The node has pruned the state, so only the events are available.
  if (seen === undefined) return { tokens: moves.map(byEvents), allowances: [] }
  const { before, after } = seen
  return {
    tokens: moves.map((move) => holderOf(move, { questions, before, after })),
    allowances: approvals.map(({ owner, spender }, index) => ({
      owner,
      spender,
      before: before[questions.length + index]?.words[0] ?? 0n,
      after: after[questions.length + index]?.words[0] ?? 0n,
    })),
  }
}

/** Limits the report and the size of the call. */
const mostAsked = 64

type LastMove = TokenMove & { mintedTo: Hex | undefined }

const soldMove = (sold: { contract: Hex; id: bigint; to: Hex }): LastMove => ({
  ...sold,
  standard: 'ERC-721',
  amount: 1n,
  from: zeroAddress,
  mintedTo: undefined,
})

/** Returns the last move of each token; for an ERC-1155 id, the last one per receiving account. */
function lastMoves(moves: readonly TokenMove[]): LastMove[] {
  const last = new Map<string, LastMove>()
  for (const move of moves) {
    const { contract, standard, id, from, to } = move
    const one = `${contract}/${id}`
    const mintedTo =
      from === zeroAddress ? to : (last.get(`${one}/${from}`)?.mintedTo ?? last.get(one)?.mintedTo)
    if (standard === 'ERC-721') last.set(one, { ...move, mintedTo })
    else {
      // The previous holder has transferred the token.
      last.delete(`${one}/${from}`)
      last.set(`${one}/${to}`, { ...move, mintedTo })
    }
  }
  return [...last.values()].slice(0, mostAsked)
}

const byEvents = ({ from: _, to, ...token }: LastMove): TokenInTheEnd => ({
  ...token,
  holder: to,
  claimed: to,
  wasThere: false,
})

type Question = { move: LastMove; account: Hex | undefined; call: SequenceCall }

function questionsOf(move: LastMove, accounts: readonly Hex[]): Question[] {
  const { contract, standard, id } = move
  if (standard === 'ERC-721') return [{ move, account: undefined, call: ownerCall(contract, id) }]
  const asked = accounts.filter(
    (account, place) => accounts.findIndex((one) => sameHex(one, account)) === place,
  )
  return asked.map((account) => ({ move, account, call: balanceCall(contract, account, id) }))
}

function holderOf(
  move: LastMove,
  answers: {
    questions: readonly Question[]
    before: readonly SequenceResult[]
    after: readonly SequenceResult[]
  },
): TokenInTheEnd {
  const { contract, standard, id, mintedTo, to: claimed } = move
  const token = { contract, standard, id, mintedTo, claimed }
  const of = answers.questions.flatMap((question, place) =>
    question.move === move
      ? [{ ...question, before: answers.before[place], after: answers.after[place] }]
      : [],
  )
  if (standard === 'ERC-721') {
    const [asked] = of
    const [holder, holderBefore] = [ownerIn(asked?.after), ownerIn(asked?.before)]
    return { ...token, amount: 1n, holder, wasThere: holder === holderBefore }
  }
  const grown = of.map(({ account = claimed, before, after }) => ({
    account,
    by: (after?.words[0] ?? 0n) - (before?.words[0] ?? 0n),
  }))
  const found = grown.find(({ by }) => by > 0n)
  return {
    ...token,
    amount: found?.by ?? move.amount,
    holder: found?.account ?? zeroAddress,
    wasThere: false,
  }
}

function ownerIn(answer: SequenceResult | undefined): Hex {
  if (!answer?.succeeded || answer.size < 32 || answer.words[0] >= 2n ** 160n) return zeroAddress
  return addressIn(answer.words[0].toString(16))
}

const ownerCall = (to: Hex, id: bigint): SequenceCall => ({
  to,
  data: encodeFunctionData({ abi: erc721Abi, functionName: 'ownerOf', args: [id] }),
})

const balanceCall = (to: Hex, account: Hex, id: bigint): SequenceCall => ({
  to,
  data: encodeFunctionData({ abi: erc1155Abi, functionName: 'balanceOf', args: [account, id] }),
})

const allowanceCall = (to: Hex, owner: Hex, spender: Hex): SequenceCall => ({
  to,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
})
