// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {RedeemTest} from "./RedeemTest.sol";
import {Test} from "./Test.sol";
import {
    KnownTokenIdMerchant,
    NormalMerchant,
    ReturnedMerchant,
    SafeMintMerchant1155,
    SafeMintMerchant721
} from "./mocks/HonestMerchants.sol";
import {RedeemCase} from "./redeem/RedeemStage.sol";
import {RedeemFinding} from "./redeem/RedeemTexts.sol";

/// @dev Compares the verdicts with `mocks/verdicts.json`, which the TypeScript tests read too.
contract RedeemVerdictsTest is Test, RedeemTest {
    uint256 private constant PRICE = 10_000_000;
    uint256 private constant NFT_ID = 7;
    string private constant TABLE = "contracts/test/mocks/verdicts.json";
    /// @dev Rules of `ruleCatalogue.ts` that require a trace.
    string private constant TRACE_RULES =
        "RECEIVER_NOT_CUSTOMER USES_TX_ORIGIN DEPENDS_ON_TIME DIFFERS_ON_SECOND_CALL SEES_ONE_CUSTOMER GAS_ABOVE_LIMIT SWALLOWS_FAILURE UPGRADEABLE ";

    function test_verdicts() public {
        string memory table = vm.readFile(TABLE);
        uint256 row = 0;
        for (; vm.keyExistsJson(table, _row(row)); ++row) {
            // Makes an external call for each row, which frees the memory of its recordings.
            this.compare(table, _row(row));
        }
        vm.assertGe(row, 20, "rows of the table");
    }

    function compare(string memory table, string memory row) external {
        string memory name = vm.parseJsonString(table, string.concat(row, ".contract"));
        string memory wanted = "";
        string[] memory codes = vm.parseJsonStringArray(table, string.concat(row, ".codes"));
        for (uint256 i = 0; i < codes.length; ++i) {
            if (!vm.contains(TRACE_RULES, string.concat(codes[i], " "))) wanted = string.concat(wanted, codes[i], " ");
        }
        uint256 before = vm.snapshotState();
        RedeemFinding[] memory findings =
            judgeRedeem(_case(name, vm.parseJsonString(table, string.concat(row, ".shape"))));
        vm.revertToState(before);
        string memory found = "";
        for (uint256 i = 0; i < findings.length; ++i) {
            found = string.concat(found, findings[i].code, " ");
        }
        vm.assertEq(string.concat(name, " ", found), string.concat(name, " ", wanted));
    }

    function _case(string memory name, string memory shape) private returns (RedeemCase memory redeemCase) {
        bytes32 kind = keccak256(bytes(shape));
        redeemCase.target = vm.deployCode(name, abi.encode(redeemUsdc()));
        redeemCase.amount = PRICE;
        redeemCase.kind = ICredits.Kind.Normal;
        redeemCase.data = abi.encodeCall(NormalMerchant.buy, (redeemCustomer(), PRICE));
        if (kind == keccak256("normal")) return redeemCase;
        redeemCase.nftContract = redeemCase.target;
        redeemCase.data = abi.encodeCall(ReturnedMerchant.mint, (PRICE));
        if (kind == keccak256("knownTokenId")) {
            redeemCase.kind = ICredits.Kind.KnownTokenId;
            redeemCase.nftId = NFT_ID;
            redeemCase.data = abi.encodeCall(KnownTokenIdMerchant.buy, (NFT_ID));
        } else {
            redeemCase.kind = kind == keccak256("returned") ? ICredits.Kind.Returned : ICredits.Kind.SafeMint;
        }
        bytes32 contractName = keccak256(bytes(name));
        if (contractName == keccak256("SafeMintMerchant721")) {
            redeemCase.data = abi.encodeCall(SafeMintMerchant721.mint, (2, PRICE));
        } else if (contractName == keccak256("SafeMintMerchant1155")) {
            redeemCase.data = abi.encodeCall(SafeMintMerchant1155.mint, (3, 2, PRICE));
        } else if (contractName == keccak256("KnownTokenIdMerchant")) {
            KnownTokenIdMerchant(redeemCase.target).list(NFT_ID, PRICE);
        }
    }

    function _row(uint256 index) private pure returns (string memory) {
        return string.concat("[", vm.toString(index), "]");
    }
}
