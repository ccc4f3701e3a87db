const encoder = /* @__PURE__ */ new TextEncoder()

/** The UTF-8 bytes of text. The caller has checked that it is well-formed. */
export function textToBytes(text: string): Uint8Array {
  return encoder.encode(text)
}
