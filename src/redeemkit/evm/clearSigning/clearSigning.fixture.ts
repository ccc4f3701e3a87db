import { formatTypedData, type TypedData } from '@ethereum-sourcify/clear-signing'
import { type ClearSigTypedInput, eip712 } from 'micro-eth-signer/clearsig.js'
import { keccak256, stringToBytes } from 'viem'
import type { ClearSigningFile } from './clearSigningFile.ts'

type Data = ClearSigningFile['tests']['tests'][number]['data']

/** Renders typed data with the reference implementation of ERC-7730. */
export async function renderClearSigning({ name, descriptor, tests }: ClearSigningFile, data: Data) {
  const path = `${name}.json`
  const entries = Object.keys(descriptor.display.formats).map((type) => [
    type.slice(0, type.indexOf('(')),
    [{ path, encodeTypeHashes: [keccak256(stringToBytes(type))] }],
  ])
  const typedDataIndex = Object.fromEntries(
    descriptor.context.eip712.deployments.map(({ chainId, address }) => [
      `eip155:${chainId}:${address.toLowerCase()}`,
      Object.fromEntries(entries),
    ]),
  )
  const { intent, metadata, fields, warnings } = await formatTypedData(
    // the typed data of a request, as JSON
    { account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', ...data } as unknown as TypedData,
    {
      descriptorResolverOptions: {
        type: 'custom',
        resolver: {
          index: { calldataIndex: {}, typedDataIndex },
          fetchDescriptor: async () => JSON.parse(JSON.stringify(descriptor)),
        },
      },
      externalDataProvider: {
        resolveToken: async (_, address) => tests.dataProvider.tokens[address.toLowerCase()] ?? null,
      },
    },
  )
  return {
    intent,
    owner: metadata?.owner,
    fields: fields?.map((field) => ('value' in field ? { label: field.label, value: field.value } : field)),
    ...(warnings && { warnings }),
  }
}

/** Renders typed data with a second library, which formats dates and units differently. */
export async function renderMicro({ name, descriptor, tests }: ClearSigningFile, data: Data) {
  // the typed data of a request, as JSON
  const rendered = await eip712(data as unknown as ClearSigTypedInput, {
    clearSig: { [`${name}.json`]: descriptor },
    resolveToken: async ({ address }: { address: string }) =>
      tests.dataProvider.tokens[address.toLowerCase()],
  })
  if (rendered === undefined) throw new Error('No descriptor matches.')
  const values = Object.entries(rendered.fields).map(([label, { value, format, rawValue }]) => [
    label,
    format === 'date' ? new Date(Number(rawValue) * 1000).toISOString() : value,
  ])
  return { intent: rendered.intent, fields: Object.fromEntries(values) as Record<string, string> }
}
