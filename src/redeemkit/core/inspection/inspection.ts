import type { Finding, Grant, InspectionKind, Move, Verdict } from '../finding/finding.ts'
import type { FindingCode } from '../finding/findingCatalogue.ts'
import type { LabelKey, SentenceKey } from './inspectionTexts.ts'

/** The description of a request and its problems. `formatInspection` renders `title` and `lines` in a language. */
export type Inspection<details = unknown> = {
  /** A key of `inspectionKinds`; `unknown` for an unrecognized request. */
  kind: InspectionKind
  verdict: Verdict
  /** One sentence that describes the request. The title of a refused request names a problem, never a purchase. */
  title: InspectionSentence
  /** The facts of the request with their labels, including contract and chain if the request has them. */
  lines: readonly InspectionLine[]
  /** The assets that the request moves between accounts when it is executed, as far as they can be read. */
  moves: readonly Move[]
  /** The rights that the request gives to other accounts. */
  grants: readonly Grant[]
  digests: InspectionDigests
  findings: readonly Finding[]
  /** The decoded request. */
  details: details
  /** Title and lines as English text. */
  summary: string
}

/** A sentence: a key of the texts, and the values of its placeholders. */
export type InspectionSentence = {
  key: SentenceKey
  values: Readonly<Record<string, InspectionValue>>
  /** The English text, if only one chain has this sentence. */
  english?: string | undefined
}

export type InspectionLine = {
  key: LabelKey
  value: InspectionValue
  /** The name of a field of the request, used as the label. It comes from the request, so it is untrusted. */
  field?: string | undefined
}

/** A typed value in a sentence or a line. */
export type InspectionValue =
  | {
      type: 'amount'
      /** Raw units. */
      amount: bigint | 'unlimited'
      /** `undefined` for a token that is not known. */
      decimals: number | undefined
      /** `USD` for credits and prices; empty for a number without a unit; `undefined` for an unknown token. */
      symbol: string | undefined
      /** The token's contract; `undefined` for the native coin and for dollars. */
      token?: string | undefined
    }
  | { type: 'address'; address: string; name?: string | undefined }
  /** Unix seconds; `undefined` if there is no expiry. */
  | { type: 'time'; seconds: bigint | undefined; now: bigint }
  | { type: 'duration'; seconds: bigint }
  | { type: 'chain'; chainId: number | undefined; name?: string | undefined }
  /** Text to show on one line. Untrusted text in it is already quoted, with invisible characters escaped. */
  | { type: 'text'; text: string }
  | { type: 'kind'; kind: InspectionKind }
  | { type: 'list'; items: readonly InspectionValue[] }
  | { type: 'finding'; code: FindingCode; message: string }
  | { type: 'sentence'; sentence: InspectionSentence }

/** The digests of a request (ERC-8213). A wallet shows them to users who compare them with another device. */
export type InspectionDigests = {
  /** The EIP-191 hash of the text that `personal_sign` signs. */
  eip191?: `0x${string}` | undefined
  /** "EIP-712 Digest". */
  eip712?: `0x${string}` | undefined
  /** "Domain Hash". Show it only together with the message hash. */
  domainHash?: `0x${string}` | undefined
  /** "Message Hash". Show it only together with the domain hash. */
  messageHash?: `0x${string}` | undefined
  /** "Calldata Digest" of each call with data, in order. */
  calldata?: readonly `0x${string}`[] | undefined
}
