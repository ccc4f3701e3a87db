// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {ITokenRescue} from "../src/ITokenRescue.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title The whole interface of `Credits`
/// @dev The tests use the contracts only through these interfaces: see foundry.toml.
interface ICreditsContract is
    ICredits,
    IAccessControl,
    IAccessControlDefaultAdminRules,
    IERC721Receiver,
    IERC1155Receiver
{
    function OPERATOR_ROLE() external view returns (bytes32);
    function MINTER_ROLE() external view returns (bytes32);
    function WHITELIST_ROLE() external view returns (bytes32);
    function PAUSER_ROLE() external view returns (bytes32);
    function signatureVerifier() external view returns (address);
    function extension() external view returns (address);
    function redeemItem(address relayer, RedeemRequest calldata request) external;
    function callReturned(address target, bytes calldata data, uint256 minimumGas) external returns (uint256 nftId);
}

/// @title The whole interface of `BridgeAdapter`
interface IBridgeAdapterContract is IBridgeAdapter, IAccessControl, IAccessControlDefaultAdminRules {
    function RELAYER_ROLE() external view returns (bytes32);
    function ROUTE_ROLE() external view returns (bytes32);
    function TREASURER_ROLE() external view returns (bytes32);
    function PAUSER_ROLE() external view returns (bytes32);
    function CLAIM_TYPEHASH() external view returns (bytes32);
    function credits() external view returns (address);
    function usdc() external view returns (address);
    function executor() external view returns (address);
}

/// @title The whole interface of `PaymentSettlement`
interface IPaymentSettlementContract is
    IPaymentSettlement,
    ITokenRescue,
    IAccessControl,
    IAccessControlDefaultAdminRules
{
    function OPERATOR_ROLE() external view returns (bytes32);
    function PAUSER_ROLE() external view returns (bytes32);
    function rescueErc20(address token, uint256 amount, address to) external;
    function rescueNft(address nftContract, uint256 nftId, address to) external;
}

/// @title The whole interface of `RedeemProbe`
interface IRedeemProbe {
    struct Question {
        address wallet;
        bytes12 orderKey;
        string creditSeed;
        bytes attempt;
    }

    struct Answer {
        uint8 orderState;
        bytes20 commitment;
        uint256 credits;
        bool walletHasCode;
        bool isBlocked;
        bool success;
        uint256 gasUsed;
    }

    error Attempted(bool success, uint256 gasUsed);

    function ask(ICredits credits, Question[] calldata questions) external returns (Answer[] memory answers);
    function attempt(address target, bytes calldata data) external;
}

/// @title The functions of `BridgeExecutor` that the tests call
interface IBridgeExecutor {
    error OnlyAdapter(address caller);

    function run(address token, uint256 cost, address target, bytes calldata data)
        external
        payable
        returns (bool success, bytes memory reason);
    function rescue(address token, uint256 amount, address to) external;
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) external;
}

/// @title The functions of `CustomerEscrow` that the tests call
interface ICustomerEscrow {
    function redeem(ICredits credits, ICredits.RedeemRequest calldata request) external;
    function pay(address token, uint256 amount) external;
    function forward(address nftContract, uint256 nftId) external;
    function sweep(address token) external;
    function claim(IBridgeAdapter adapter, address token) external;
    function customer() external view returns (address);
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}
