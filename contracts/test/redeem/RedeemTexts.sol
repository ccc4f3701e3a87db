// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {redeemTestVm} from "./RedeemTestVm.sol";

/// @notice A rule that is broken.
/// @param code of PROTOCOL.md 6.8
/// @param text the code, what was observed, what to change
struct RedeemFinding {
    string code;
    string text;
}

/// @title The text of a broken rule: its code, what was observed, what to change
library RedeemTexts {
    /// @dev In bytes, of an error.
    uint256 private constant MOST_SHOWN = 200;

    error UnknownRedeemRule(string code);

    /// @dev What to change in the contract. `.config/writeRules.ts` writes these texts from `ruleCatalogue.ts`.
    function fixOf(string memory code) internal pure returns (string memory) {
        bytes32 rule = keccak256(bytes(code));
        if (rule == keccak256("NOT_WHITELISTED")) {
            return "Request an entry: npx redeemkit whitelist request. USDC, the credits contract, Permit2 and addresses without code cannot be whitelisted.";
        }
        if (rule == keccak256("SELECTOR_NOT_WHITELISTED")) {
            return "Call an allowed function, or request an entry for this one.";
        }
        if (rule == keccak256("CALL_REVERTS")) {
            return "Find the failing call and its reason in the call tree.";
        }
        if (rule == keccak256("PULLS_MORE")) {
            return "transferFrom no more than the amount, or raise the subtotal to the price.";
        }
        if (rule == keccak256("PULLS_LESS")) {
            return "transferFrom the whole amount, or lower the subtotal to the price: the rest is refunded to the customer as credits.";
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
            return "Mint with _safeMint(msg.sender, id), or declare the shape returned and return the id.";
        }
        if (rule == keccak256("RETURNS_NO_ID")) {
            return
                "Return the token id (returns (uint256 tokenId)), or mint with _safeMint and declare the shape safeMint.";
        }
        if (rule == keccak256("WRONG_NFT_ID")) {
            return "Hand msg.sender the token that was bought, and no other.";
        }
        if (rule == keccak256("NFT_STAYS_BEHIND")) {
            return "Mint to the receiver in the call data, or declare safeMint or returned: the token is then forwarded to the customer.";
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
        returns (RedeemFinding[] memory all)
    {
        if (has(findings, code)) return findings;
        all = new RedeemFinding[](findings.length + 1);
        for (uint256 i = 0; i < findings.length; ++i) {
            all[i] = findings[i];
        }
        all[findings.length] = RedeemFinding(code, string.concat(code, ": ", seen, ". ", fixOf(code)));
    }

    function one(string memory code, string memory seen) internal pure returns (RedeemFinding[] memory) {
        return more(new RedeemFinding[](0), code, seen);
    }

    function has(RedeemFinding[] memory findings, string memory code) internal pure returns (bool) {
        for (uint256 i = 0; i < findings.length; ++i) {
            if (keccak256(bytes(findings[i].code)) == keccak256(bytes(code))) return true;
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
            ", the credits contract or the relayer, and no shape hands them on"
        );
    }

    function shortOf(uint256 gasLimit) internal pure returns (string memory) {
        return string.concat("with ", number(gasLimit), " gas it took the money and did less");
    }

    function usedUp(uint256 gas) internal pure returns (string memory) {
        return string.concat(
            "it used up ",
            number(gas),
            " gas, more than a transaction can have: an endless loop, or an invalid instruction"
        );
    }

    /// @dev Revert data as text.
    function errorText(bytes memory reason) internal pure returns (string memory) {
        if (reason.length == 0) return "without a reason: no such function, out of gas, or a bare revert";
        if (reason.length >= 68 && bytes4(reason) == 0x08c379a0) return _plainText(reason);
        if (reason.length >= 36 && bytes4(reason) == 0x4e487b71) {
            return string.concat("panic ", number(abi.decode(withoutSelector(reason), (uint256))));
        }
        if (reason.length <= MOST_SHOWN) return string.concat("error ", redeemTestVm.toString(reason));
        bytes memory start = new bytes(MOST_SHOWN);
        for (uint256 i = 0; i < MOST_SHOWN; ++i) {
            start[i] = reason[i];
        }
        return string.concat("error ", redeemTestVm.toString(start), "...");
    }

    /// @dev The text of an `Error(string)`, as far as it arrived: `Credits` truncates long ones. Nothing in it moves a terminal's
    /// cursor, is invisible, or turns the direction of writing.
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

    /// @dev How many bytes from here form an invisible character, in UTF-8: controls, zero widths, marks of direction.
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
