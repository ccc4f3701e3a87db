// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {redeemTestVm} from "./RedeemTestVm.sol";

/// @notice A rule that is broken.
/// @param code the rule's code (PROTOCOL.md 6.8)
/// @param text the code, the observation and what to change
/// @param isWarning whether the customer loses nothing; `assertSettles` accepts a warning
struct RedeemFinding {
    string code;
    string text;
    bool isWarning;
}

/// @title Texts of broken rules: the code, the observation and what to change
library RedeemTexts {
    /// @dev Maximum number of bytes of an error that are shown.
    uint256 private constant MOST_SHOWN = 200;

    /// @dev Known errors: those of the standards, of common libraries and routers, and of the credits contract.
    string private constant ERRORS =
        "Panic(uint256);ERC20InsufficientBalance(address,uint256,uint256);ERC20InsufficientAllowance(address,uint256,uint256);ERC20InvalidSender(address);ERC20InvalidReceiver(address);ERC20InvalidApprover(address);ERC20InvalidSpender(address);SafeERC20FailedOperation(address);SafeERC20FailedDecreaseAllowance(address,uint256,uint256);ERC721InvalidOwner(address);ERC721NonexistentToken(uint256);ERC721IncorrectOwner(address,uint256,address);ERC721InvalidSender(address);ERC721InvalidReceiver(address);ERC721InsufficientApproval(address,uint256);ERC721InvalidApprover(address);ERC721InvalidOperator(address);ERC1155InsufficientBalance(address,uint256,uint256,uint256);ERC1155InvalidSender(address);ERC1155InvalidReceiver(address);ERC1155MissingApprovalForAll(address,address);ERC1155InvalidOperator(address);ERC1155InvalidArrayLength(uint256,uint256);ERC1967InvalidImplementation(address);UUPSUnauthorizedCallContext();InvalidInitialization();NotInitializing();OwnableUnauthorizedAccount(address);OwnableInvalidOwner(address);AccessControlUnauthorizedAccount(address,bytes32);ReentrancyGuardReentrantCall();EnforcedPause();ExpectedPause();AddressEmptyCode(address);FailedCall();InsufficientBalance(uint256,uint256);StringsInsufficientHexLength(uint256,uint256);SafeCastOverflowedUintDowncast(uint8,uint256);ECDSAInvalidSignature();ECDSAInvalidSignatureLength(uint256);MerkleProofInvalidMultiproof();ECDSAInvalidSignatureS(bytes32);InvalidAccountNonce(address,uint256);ERC2612ExpiredSignature(uint256);ERC2612InvalidSigner(address,address);ERC20ExceededCap(uint256,uint256);ERC4626ExceededMaxDeposit(address,uint256,uint256);ERC4626ExceededMaxMint(address,uint256,uint256);ERC6909InsufficientBalance(address,uint256,uint256,uint256);ERC6909InsufficientAllowance(address,uint256,uint256,uint256);AccessManagedUnauthorized(address);ProxyDeniedAdminAccess();AddressInsufficientBalance(address);FailedInnerCall();MathOverflowedMulDiv();MintToZeroAddress();MintZeroQuantity();OwnerQueryForNonexistentToken();TransferCallerNotOwnerNorApproved();TransferFromIncorrectOwner();TransferToNonERC721ReceiverImplementer();TransferToZeroAddress();TransferFailed();TransferFromFailed();ApproveFailed();Unauthorized();AlreadyInitialized();Reentrancy();InsufficientBalance();InsufficientAllowance();TokenAlreadyExists();TokenDoesNotExist();NotOwnerNorApproved();TransferToNonERC1155ReceiverImplementer();InvalidSignature();MulDivFailed();FullMulDivFailed();DivFailed();MulWadFailed();DivWadFailed();AllowanceExpired(uint256);InsufficientAllowance(uint256);InvalidAmount(uint256);InvalidNonce();InvalidSigner();InvalidContractSignature();InvalidSignatureLength();SignatureExpired(uint256);TransactionDeadlinePassed();V2TooLittleReceived();V2TooMuchRequested();V3TooLittleReceived();V3TooMuchRequested();V4TooLittleReceived(uint256,uint256);V4TooMuchRequested(uint256,uint256);DeadlinePassed(uint256);CurrencyNotSettled();PoolNotInitialized();ManagerLocked();AccessControlBadConfirmation();AccessControlEnforcedDefaultAdminDelay(uint48);AccessControlEnforcedDefaultAdminRules();AccessControlInvalidDefaultAdmin(address);AmountTooLarge(uint256,uint256);AuthorizationAlreadyCredited(address,bytes32);AuthorizationNotUsed(address,bytes32);BatchLengthMismatch(uint256,uint256);BridgeAdapterNotSet();ExceedsAuthorized(uint256,uint256);ExitNotOpen(uint256);ForbiddenSelector(bytes4);ForbiddenTarget(address);GasFeeNotAllowed(address,uint256);Insolvent(uint256,uint256);InsufficientGas(uint256,uint256);InsufficientSurplus(uint256,uint256);IntentMismatch(bytes32,bytes32);InvalidBurnSignature(address,bytes32);InvalidCancelSignature(address,bytes32);InvalidEarlyAuthorization(address,bytes32);InvalidPermitSignature(address,bytes32);InvalidShortString();InvalidV1SignatureLength(uint256);MinimumGasOutOfBounds(uint256,uint256);MissingUsdcAuthorization();NoTokensArrived(address);NotHeld(address,uint256);OnlySelf(address);OrderUsed(address,bytes12,uint8,bytes20);PauseAlreadyOver(uint256,uint256);PermitExpired(uint256,uint256);RandomNonceRequired(bytes32);ReceiveAuthorizationRequired(bytes32);SaltNotAllowed(bytes32);TargetWithoutCode(address);TokenAlreadyOwned(address,uint256);TokenIdNotReturned(uint256);TokenNotReceived(address,uint256);TooManyCredits(uint256,uint256);TooManyTokens(uint256);TransferredAmountMismatch(uint256,uint256);UnexpectedToken(address);UnexpectedUsdcAuthorization();UnsupportedChain(uint256);UsdcAmountExceedsAmount(uint256,uint256);ZeroAmount();AlreadyExecuted(bytes32);ClaimExpired(uint256,uint256);CostNotCovered(uint256,uint256);DailyLimitExceeded(address,uint256,uint256);InsufficientLiquidity(address,uint256,uint256);InvalidClaimSignature(address,bytes32);NativeTransferFailed(address,uint256);NothingToClaim(address,address);OnlyCredits(address);UnknownRoute(uint256,address);UnknownSource(uint256,address);AlreadySettled(bytes32);CloneArgumentsTooLong();Create2EmptyBytecode();FailedDeployment();InvalidOrderKey(bytes12);OrderAlreadyPaid(address,bytes12);OtherTokensArrived(address,uint256,uint256);OnlyPaymentSettlement(address);";

    /// @dev What to change for a single failure. `contracts/generate.mjs` writes the first two.
    string internal constant TOO_MANY_TOKENS = "Mint at most 16 tokens in one redeem.";
    string internal constant NOT_FORWARDED =
        "Allow msg.sender, the credits contract, to transfer the token to the customer immediately, or mint to the receiver in the call data and declare the type `normal`.";
    string internal constant REJECTED_CALLER =
        "The contract rejects its caller: msg.sender is the credits contract for every customer. Check the receiver in the call data instead.";

    error UnknownRedeemRule(string code);

    /// @dev What to change in the contract. `contracts/generate.mjs` writes these texts and `ERRORS`.
    function fixOf(string memory code) internal pure returns (string memory) {
        bytes32 rule = keccak256(bytes(code));
        if (rule == keccak256("NOT_WHITELISTED")) {
            return "Request an entry: npx redeemkit whitelist request. No entry can allow USDC, the credits contract, Permit2 or an address without code: call another contract, or deploy it first.";
        }
        if (rule == keccak256("SELECTOR_NOT_WHITELISTED")) {
            return "Call an allowed function, or request an entry for this one. No entry can allow a function that moves tokens or grants rights over them.";
        }
        if (rule == keccak256("CALL_REVERTS")) {
            return "Find the failing call and its reason in the call tree (in Foundry: forge test -vvvv).";
        }
        if (rule == keccak256("PULLS_MORE")) {
            return "Take no more than the amount with transferFrom, or raise the subtotal to the price.";
        }
        if (rule == keccak256("PULLS_LESS")) {
            return "If the price is fixed, take the whole amount with transferFrom, or lower the subtotal to the price. What the contract does not take is returned to the customer as credits. Send nothing back to msg.sender.";
        }
        if (rule == keccak256("PULLS_NOTHING")) {
            return "Take the payment: usdc.transferFrom(msg.sender, address(this), price).";
        }
        if (rule == keccak256("PULLS_FROM_OTHERS")) {
            return "Take the payment from msg.sender, which has approved it, not from the customer or tx.origin.";
        }
        if (rule == keccak256("NEEDS_NATIVE_COIN")) {
            return "Do not require msg.value: a redeem pays in USDC only.";
        }
        if (rule == keccak256("MINTS_WITHOUT_HOOK")) {
            return "Mint with _safeMint(msg.sender, id), or declare the type `returned` and return the id. If the call itself delivers to the customer, declare the type `normal`.";
        }
        if (rule == keccak256("RETURNS_NO_ID")) {
            return "Return the token id (returns (uint256 tokenId)), or mint with _safeMint and declare the type `safeMint`. If the call itself delivers to the customer, declare the type `normal`.";
        }
        if (rule == keccak256("WRONG_NFT_ID")) {
            return "Transfer to msg.sender only the token that was bought. With the type `returned`, the first returned value is its id. To sell several in one call, mint them with _safeMint and declare the type `safeMint`. If the call itself delivers to the customer, declare the type `normal`.";
        }
        if (rule == keccak256("NFT_STAYS_BEHIND")) {
            return "Send the token to the receiver in the call data. A redeem forwards only NFTs, with the type `safeMint`, `returned` or `known token id`, and never ERC-20 tokens.";
        }
        if (rule == keccak256("REENTERS")) {
            return "Call the credits contract in a separate transaction.";
        }
        if (rule == keccak256("LEAVES_ALLOWANCE")) {
            return "Approve only what is spent immediately, or reset the allowance to 0 before the call ends.";
        }
        if (rule == keccak256("KEEPS_MONEY_ON_SHORT_GAS")) {
            return
                "Let a failed delivery revert instead of catching it, or request a whitelist entry with enough minimumGas.";
        }
        revert UnknownRedeemRule(code);
    }

    function more(RedeemFinding[] memory findings, string memory code, string memory seen)
        internal
        pure
        returns (RedeemFinding[] memory)
    {
        return _more(findings, code, seen, false);
    }

    function warning(RedeemFinding[] memory findings, string memory code, string memory seen)
        internal
        pure
        returns (RedeemFinding[] memory)
    {
        return _more(findings, code, seen, true);
    }

    function _more(RedeemFinding[] memory findings, string memory code, string memory seen, bool isWarning)
        private
        pure
        returns (RedeemFinding[] memory all)
    {
        if (has(findings, code)) return findings;
        all = new RedeemFinding[](findings.length + 1);
        for (uint256 i = 0; i < findings.length; ++i) {
            all[i] = findings[i];
        }
        all[findings.length] = RedeemFinding(code, _text(code, seen, fixOf(code)), isWarning);
    }

    function _text(string memory code, string memory seen, string memory fix) private pure returns (string memory) {
        return string.concat(code, ": ", seen, ". ", fix);
    }

    function one(string memory code, string memory seen) internal pure returns (RedeemFinding[] memory) {
        return more(new RedeemFinding[](0), code, seen);
    }

    /// @dev Returns a finding with a fix for this failure instead of the rule's fix.
    function one(string memory code, string memory seen, string memory fix)
        internal
        pure
        returns (RedeemFinding[] memory findings)
    {
        findings = one(code, seen);
        findings[0].text = _text(code, seen, fix);
    }

    function has(RedeemFinding[] memory findings, string memory code) internal pure returns (bool) {
        for (uint256 i = 0; i < findings.length; ++i) {
            if (keccak256(bytes(findings[i].code)) == keccak256(bytes(code))) return true;
        }
        return false;
    }

    /// @dev Returns whether an account is among the values of an error.
    function names(bytes memory reason, address account) internal pure returns (bool) {
        for (uint256 end = 36; end <= reason.length; end += 32) {
            uint256 word;
            assembly ("memory-safe") {
                word := mload(add(reason, end))
            }
            if (word == uint160(account)) return true;
        }
        return false;
    }

    // Phrases

    function number(uint256 value) internal pure returns (string memory) {
        return redeemTestVm.toString(value);
    }

    function ofAmount(string memory verb, uint256 part, uint256 amount) internal pure returns (string memory) {
        return string.concat(verb, number(part), " of ", number(amount));
    }

    function took(uint256 value) internal pure returns (string memory) {
        return string.concat("took ", number(value), " from the customer or the relayer");
    }

    function wantedFrom(uint256 value, address from) internal pure returns (string memory) {
        return string.concat("wanted ", number(value), " from ", redeemTestVm.toString(from));
    }

    function token(address nftContract, uint256 id) internal pure returns (string memory) {
        return string.concat("token ", number(id), " of ", redeemTestVm.toString(nftContract));
    }

    function allowance(address owner, address spender, uint256 left) internal pure returns (string memory) {
        string memory part = left >= 1 << 255 ? "all" : string.concat(number(left), " raw units of the");
        string memory text = string.concat(redeemTestVm.toString(spender), " may still spend ", part, " USDC of ");
        return string.concat(text, redeemTestVm.toString(owner), " after the redeem");
    }

    function edition(address nftContract, uint256 id) internal pure returns (string memory) {
        return string.concat(token(nftContract, id), " is an ERC-1155 token: declare the type `safeMint`");
    }

    function noErc721(address nftContract) internal pure returns (string memory) {
        return string.concat(
            redeemTestVm.toString(nftContract),
            " does not support balanceOf(address): pass the contract of the NFT, or for an ERC-1155 token declare the type `safeMint`"
        );
    }

    function stays(address nftContract, uint256 id) internal pure returns (string memory) {
        return string.concat(token(nftContract, id), " stays with msg.sender, the credits contract");
    }

    function coins(address coin, uint256 value, address holder) internal pure returns (string memory) {
        return string.concat(
            number(value),
            " raw units of the ERC-20 token ",
            redeemTestVm.toString(coin),
            " go to ",
            redeemTestVm.toString(holder),
            ", the credits contract or the relayer, and no transaction type forwards them"
        );
    }

    function shortOf(uint256 gasLimit) internal pure returns (string memory) {
        return string.concat("with ", number(gasLimit), " gas, it took the money and did less");
    }

    function usedUp(uint256 gas) internal pure returns (string memory) {
        return string.concat(
            "it used up ",
            number(gas),
            " gas, more than a transaction can have: an endless loop, or an invalid instruction"
        );
    }

    /// @dev Returns revert data as text.
    function errorText(bytes memory reason) internal pure returns (string memory) {
        if (reason.length == 0) return "without a reason: no such function, out of gas, or a bare revert";
        if (reason.length >= 68 && bytes4(reason) == 0x08c379a0) return _plainText(reason);
        if (reason.length >= 36 && bytes4(reason) == 0x4e487b71) {
            return _panicText(abi.decode(withoutSelector(reason), (uint256)));
        }
        string memory named = _named(reason);
        if (bytes(named).length != 0) return named;
        if (reason.length <= MOST_SHOWN) return string.concat("error ", redeemTestVm.toString(reason));
        bytes memory start = new bytes(MOST_SHOWN);
        for (uint256 i = 0; i < MOST_SHOWN; ++i) {
            start[i] = reason[i];
        }
        return string.concat("error ", redeemTestVm.toString(start), "...");
    }

    function _panicText(uint256 code) private pure returns (string memory) {
        string memory text = string.concat("panic ", number(code));
        if (code == 0x01) return string.concat(text, ": an assertion failed");
        if (code == 0x11) return string.concat(text, ": arithmetic overflow or underflow");
        if (code == 0x12) return string.concat(text, ": division by zero");
        return code == 0x32 ? string.concat(text, ": an array index out of bounds") : text;
    }

    /// @dev Returns a known error with its values, or an empty text for an unknown error.
    function _named(bytes memory reason) private pure returns (string memory) {
        bytes memory known = bytes(ERRORS);
        uint256 start = 0;
        for (uint256 i = 0; i < known.length; ++i) {
            if (known[i] != ";") continue;
            bytes memory signature = new bytes(i - start);
            for (uint256 j = 0; j < signature.length; ++j) {
                signature[j] = known[start + j];
            }
            start = i + 1;
            if (bytes4(keccak256(signature)) == bytes4(reason)) return _withValues(signature, withoutSelector(reason));
        }
        return "";
    }

    /// @dev Replaces the types with the values: addresses, numbers, and other words of fixed size as bytes.
    function _withValues(bytes memory signature, bytes memory words) private pure returns (string memory text) {
        uint256 i = 0;
        for (; signature[i] != "("; ++i) {
            text = string.concat(text, string(bytes.concat(signature[i])));
        }
        text = string.concat(text, "(");
        for (uint256 place = 0; signature[++i] != ")"; place += 32) {
            bytes32 word;
            if (words.length < place + 32) return string.concat(text, "...)");
            assembly ("memory-safe") {
                word := mload(add(add(words, 0x20), place))
            }
            text = string.concat(text, place == 0 ? "" : ", ", _valueText(signature[i], word));
            while (signature[i + 1] != "," && signature[i + 1] != ")") ++i;
            if (signature[i + 1] == ",") ++i;
        }
        return string.concat(text, ")");
    }

    /// @param first the first letter of the type
    function _valueText(bytes1 first, bytes32 word) private pure returns (string memory) {
        if (first == "a") return redeemTestVm.toString(address(uint160(uint256(word))));
        return first == "u" ? number(uint256(word)) : redeemTestVm.toString(bytes.concat(word));
    }

    /// @dev Returns the text of an `Error(string)`, which `Credits` truncates if it is long. Replaces with `?` the characters that move a
    /// terminal's cursor, are invisible or change the writing direction.
    function _plainText(bytes memory reason) private pure returns (string memory) {
        uint256 size;
        assembly ("memory-safe") {
            size := mload(add(reason, 0x44))
        }
        bool cut = size > reason.length - 68 || size > MOST_SHOWN;
        if (size > reason.length - 68) size = reason.length - 68;
        if (size > MOST_SHOWN) size = MOST_SHOWN;
        bytes memory shown = new bytes(size);
        for (uint256 i = 0; i < size; ++i) {
            shown[i] = reason[68 + i];
        }
        for (uint256 i = 0; i < size; ++i) {
            uint256 hidden = _hiddenAt(shown, i);
            for (uint256 j = 0; j < hidden; ++j) {
                shown[i + j] = "?";
            }
        }
        return cut ? string.concat(string(shown), "...") : string(shown);
    }

    /// @dev Returns the number of bytes of an invisible character at this position in UTF-8: a control character, a zero-width
    /// character, or a directional mark.
    function _hiddenAt(bytes memory text, uint256 place) private pure returns (uint256) {
        uint8 first = uint8(text[place]);
        if (first < 0x20 || first == 0x7f) return 1;
        uint8 second = place + 1 < text.length ? uint8(text[place + 1]) : 0;
        if (first == 0xc2 && second >= 0x80 && second < 0xa0) return 2;
        uint8 third = place + 2 < text.length ? uint8(text[place + 2]) : 0;
        if (first == 0xe2 && second == 0x80 && ((third >= 0x8b && third < 0x90) || (third >= 0xa8 && third < 0xaf))) {
            return 3;
        }
        if (first == 0xe2 && second == 0x81 && third >= 0xa0 && third < 0xb0) return 3;
        return first == 0xef && second == 0xbb && third == 0xbf ? 3 : 0;
    }

    function withoutSelector(bytes memory data) internal pure returns (bytes memory rest) {
        rest = new bytes(data.length < 4 ? 0 : data.length - 4);
        for (uint256 i = 0; i < rest.length; ++i) {
            rest[i] = data[i + 4];
        }
    }
}
