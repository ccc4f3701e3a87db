import type { Address } from 'viem'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { jsonText } from '../../core/parseJson.ts'
import type { TypedDataMember } from '../typedData.ts'
import { checkRecord } from '../values.ts'

/** An ERC-7730 descriptor and its test file, both as plain JSON. */
export type ClearSigningFile = {
  /** File name in a registry: the descriptor is `name.json`, its test file `testsv2/name.tests.json`. */
  name: string
  descriptor: ClearSigningDescriptor
  tests: ClearSigningTests
}

/** The parts of a descriptor that redeemkit writes (ERC-7730, schema 2.0.0). */
export type ClearSigningDescriptor = {
  $schema: string
  context: {
    eip712: {
      domain: { name: string; version: string }
      deployments: { chainId: number; address: Address }[]
    }
  }
  metadata: {
    owner: string
    info: { url: string }
  }
  display: {
    /** The keys are message types as EIP-712 encodes them. */
    formats: Record<string, { intent: string; fields: ClearSigningField[] }>
  }
}

/** One line that the wallet shows. */
export type ClearSigningField = {
  path: string
  label: string
  format: string
  params?: Readonly<Record<string, unknown>>
  visible?: 'always' | { ifNotIn: string[] }
}

/** A test file in the format of the public registry. */
export type ClearSigningTests = {
  $schema: string
  descriptor: string
  dataProvider: { tokens: Record<string, { symbol: string; decimals: number; name: string }> }
  tests: {
    description: string
    data: { types: object; primaryType: string; domain: object; message: object }
    expected: { intent: string; owner: string; fields: { label: string; value: string }[] }
  }[]
}

/** A message type of a descriptor, with example messages and the texts that a wallet must show for them. */
export type ClearSigningMessage = {
  type: string
  members: readonly TypedDataMember[]
  intent: string
  fields: ClearSigningField[]
  /** Name of the examples in the test file. */
  description: string
  /** One example for each deployment, with the same values. */
  examples: readonly { chainId: number; data: ClearSigningTests['tests'][number]['data'] }[]
  /** The text that the wallet must show for each label. */
  shown: Readonly<Record<string, string>>
}

export function clearSigningFile(options: {
  name: string
  owner: string
  url: string
  domain: { name: string; version: string }
  deployments: ClearSigningDescriptor['context']['eip712']['deployments']
  tokens: ClearSigningTests['dataProvider']['tokens']
  messages: readonly ClearSigningMessage[]
}): ClearSigningFile {
  const { name, owner, url, domain, deployments, tokens, messages } = options
  return {
    name,
    descriptor: {
      // the published schema of this version never changes; wallets check the major version
      $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json',
      context: { eip712: { domain, deployments } },
      metadata: { owner, info: { url } },
      display: {
        formats: Object.fromEntries(
          messages.map(({ type, members, intent, fields }) => [
            `${type}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`,
            { intent, fields },
          ]),
        ),
      },
    },
    tests: {
      // relative to the registry's folder of test files
      $schema: '../../../specs/erc7730-tests-v2.schema.json',
      descriptor: `../${name}.json`,
      dataProvider: { tokens },
      tests: messages.flatMap(({ description, examples, intent, shown }) =>
        examples.map(({ chainId, data }) => ({
          description: `${description} on chain ${chainId}`,
          data: JSON.parse(jsonText(data)),
          expected: {
            intent,
            owner,
            fields: Object.entries(shown).map(([label, value]) => ({ label, value })),
          },
        })),
      ),
    },
  }
}

export const example = {
  wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  nonce: '0xcff8661c04b781a2804ce2e83dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6',
  validBefore: 1_800_000_600n,
  validUntil: '2027-01-15 08:10:00Z',
} as const

export const sharedFields = {
  wallet: (path: string): ClearSigningField => ({
    path,
    label: 'Wallet',
    format: 'addressName',
    params: { types: ['wallet'], sources: ['local', 'ens'] },
    visible: 'always',
  }),
  end: {
    path: 'validBefore',
    label: 'Valid until',
    format: 'date',
    params: { encoding: 'timestamp' },
    visible: 'always',
  },
  nonce: { path: 'nonce', label: 'Purchase', format: 'raw', visible: 'always' },
} as const satisfies Record<string, ClearSigningField | ((path: string) => ClearSigningField)>

export function checkList<item extends object>(value: readonly item[], field: string): readonly item[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InvalidRecordError(`${showValue(value)} is not a non-empty list.`, {
      field,
      fix: `Pass \`${field}\` as a list.`,
    })
  for (const [at, one] of value.entries()) checkRecord(one, `${field}[${at}]`)
  return value
}
