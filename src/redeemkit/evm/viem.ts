/**
 * All values that code for browsers imports from viem. viem 3 renames these functions, and then only this file must change.
 * Types are imported from `viem` directly.
 */
export {
  bytesToHex,
  concatHex,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  deploylessCallViaFactoryBytecode,
  domainSeparator,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  fromRlp,
  getAddress,
  hashMessage,
  hashStruct,
  hashTypedData,
  hexToBytes,
  keccak256,
  numberToHex,
  recoverAddress,
  sha256,
  size,
  slice,
  stringToBytes,
  stringToHex,
  toRlp,
} from 'viem'
