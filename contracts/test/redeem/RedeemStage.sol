// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../../src/ICredits.sol";
import {IUsdc} from "../../src/IUsdc.sol";
import {Setup} from "../../src/RoleGrant.sol";
import {RedeemTestCode} from "./RedeemTestCode.sol";
import {redeemTestVm} from "./RedeemTestVm.sol";

/// @notice A redeem as a merchant describes it: the call, the amount and the transaction type.
/// @param target the merchant's contract
/// @param data the call, selector and arguments
/// @param amount the amount that the customer approves, in raw units: 1 USD is 1_000_000
/// @param kind the transaction type (PROTOCOL.md 6.2)
/// @param nftContract contract of the forwarded tokens; zero for types without tokens
/// @param nftId the token, for a known token ID; otherwise zero
/// @param usdcAmount the part of `amount` that the customer pays in USDC; credits pay the rest
struct RedeemCase {
    address target;
    bytes data;
    uint256 amount;
    ICredits.Kind kind;
    address nftContract;
    uint256 nftId;
    uint256 usdcAmount;
}

/// @dev Functions for the issuer of USDC, in the real token and in the mock.
interface RedeemTestIssuer {
    function initialize(string calldata, string calldata, string calldata, uint8, address, address, address, address)
        external;
    function masterMinter() external view returns (address);
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function mint(address to, uint256 amount) external returns (bool);
}

/// @dev The functions of `Credits` that the admin calls here.
interface RedeemTestAdmin {
    function grantRole(bytes32 role, address account) external;
}

/// @title USDC, a credits contract, a customer and a relayer, on the chain of the test
/// @dev Set up at first use, so that a suite needs no `super.setUp()` and can choose a fork in its own `setUp`.
/// `Credits` is deployed from compiled code, so that a suite does not compile it.
abstract contract RedeemStage {
    string internal constant REDEEM_SEED = "redeem-test";

    uint256 private constant CUSTOMER_KEY = uint256(keccak256("redeemkit.RedeemTest.customer"));
    address private constant OPERATOR = address(uint160(uint256(keccak256("redeemkit.RedeemTest.operator"))));
    address private constant ADMIN = address(uint160(uint256(keccak256("redeemkit.RedeemTest.admin"))));
    address private constant OTHER_CUSTOMER = address(uint160(uint256(keccak256("redeemkit.RedeemTest.other"))));
    address private constant MOCK_USDC = address(uint160(uint256(keccak256("redeemkit.RedeemTest.usdc"))));
    /// @dev The credit seed that the local service uses by default.
    uint256 private constant MINIMUM_GAS = 100_000;

    ICredits private _credits;
    uint256 private _salts;
    bool private _ownWhitelist;
    mapping(address target => bool) private _listed;

    /// @dev The code needs the EVM version `cancun` or later: set `evm_version` in foundry.toml.
    error RedeemCreditsNotDeployable();
    /// @dev A decent redeem ends on another chain. Simulate it on the local service: `npx redeemkit sandbox`.
    error RedeemShapeNeedsAnotherChain();
    /// @dev Pass a known token ID to the longer forms of `assertSettles` and `redeem`.
    error RedeemNftIdMissing();

    // Used by a suite

    /// @notice Returns the USDC that the shop must accept: the real USDC on a fork of a chain that has it, otherwise a
    /// mock that behaves like it. On a fresh chain with the ID of a real chain, the mock is at the real address.
    function redeemUsdc() internal returns (IUsdc usdc) {
        address place = redeemUsdcAddress();
        usdc = IUsdc(place == address(0) ? MOCK_USDC : place);
        if (address(usdc).code.length != 0) return usdc;
        redeemTestVm.etch(address(usdc), RedeemTestCode.mockUsdc());
        RedeemTestIssuer(address(usdc)).initialize("USD Coin", "USDC", "USD", 6, ADMIN, ADMIN, ADMIN, ADMIN);
    }

    /// @notice The address of USDC on this chain; zero if unknown. Override it for another chain.
    function redeemUsdcAddress() internal view virtual returns (address) {
        if (block.chainid == 1) return 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48;
        if (block.chainid == 11_155_111) return 0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238;
        if (block.chainid == 137) return 0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359;
        if (block.chainid == 80_002) return 0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582;
        if (block.chainid == 8453) return 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;
        if (block.chainid == 84_532) return 0x036CbD53842c5426634e7929541eC2318f3dCF7e;
        if (block.chainid == 42_161) return 0xaf88d065e77c8cC2239327C5EDb3A432268e5831;
        if (block.chainid == 421_614) return 0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d;
        if (block.chainid == 143) return 0x754704Bc059F8C67012fEd69BC8A327a5aafb603;
        if (block.chainid == 10_143) return 0x534b2f3A21130d7a60830c2Df862319e593943A3;
        return address(0);
    }

    /// @notice Gives USDC to an account, in raw units, as the token's issuer. Override it for a token without an issuer.
    function redeemFund(address account, uint256 amount) internal virtual {
        RedeemTestIssuer issuer = RedeemTestIssuer(address(redeemUsdc()));
        address minter = issuer.masterMinter();
        redeemTestVm.prank(minter);
        issuer.configureMinter(minter, amount);
        redeemTestVm.prank(minter);
        issuer.mint(account, amount);
    }

    /// @notice The credits contract, which calls the shop and is `msg.sender` there.
    function redeemCredits() internal returns (ICredits) {
        if (!_standsHere()) _deployCredits();
        return _credits;
    }

    /// @notice The buyer, who has a key but no native coin.
    function redeemCustomer() internal pure returns (address) {
        return redeemTestVm.addr(CUSTOMER_KEY);
    }

    /// @notice The relayer: `tx.origin` of every redeem.
    function redeemOperator() internal pure returns (address) {
        return OPERATOR;
    }

    /// @notice Whitelists one function. If a suite calls this, only its own entries exist. Otherwise, every simulated call has an entry.
    /// @param minimumGas gas that a relayer must leave for the call: above 0, and at most the maximum in `MinimumGasOutOfBounds`
    function whitelistRedeem(address target, bytes4 selector, uint256 minimumGas) internal {
        _ownWhitelist = true;
        _setWhitelist(target, selector, minimumGas);
    }

    /// @notice Redeems as a relayer would, and leaves the redeem executed. Reverts like `Credits`.
    function redeem(RedeemCase memory redeemCase) internal {
        redeemCredits();
        if (!_ownWhitelist) _redeemListAll(redeemCase);
        ICredits.RedeemRequest memory request = _redeemSigned(redeemCase);
        (bool success, bytes memory answer) = _redeemSend(request, gasleft());
        if (success) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    /// @notice Redeems with credits only. Tokens are expected from `target`.
    function redeem(address target, bytes memory data, uint256 amount, ICredits.Kind kind) internal {
        redeem(_redeemCase(target, data, amount, kind));
    }

    // Used by the rules

    function _redeemCase(address target, bytes memory data, uint256 amount, ICredits.Kind kind)
        internal
        pure
        returns (RedeemCase memory redeemCase)
    {
        if (kind == ICredits.Kind.KnownTokenId) revert RedeemNftIdMissing();
        redeemCase.target = target;
        redeemCase.data = data;
        redeemCase.amount = amount;
        redeemCase.kind = kind;
        if (kind == ICredits.Kind.SafeMint || kind == ICredits.Kind.Returned) redeemCase.nftContract = target;
    }

    function _redeemHasOwnWhitelist() internal view returns (bool) {
        return _ownWhitelist;
    }

    /// @dev Whether the target has an entry, for any function.
    function _redeemIsListed(address target) internal view returns (bool) {
        return _listed[target];
    }

    /// @dev Whitelists the call, and the tokens' contract if it differs from the target.
    function _redeemListAll(RedeemCase memory redeemCase) internal {
        if (redeemCase.kind == ICredits.Kind.Token) return;
        _setWhitelist(redeemCase.target, bytes4(redeemCase.data), MINIMUM_GAS);
        address nftContract = redeemCase.nftContract;
        if (nftContract != address(0) && nftContract != redeemCase.target) {
            _setWhitelist(nftContract, 0xffffffff, MINIMUM_GAS);
        }
    }

    /// @dev Gives the customer the cost of the redeem, binds the permit to the intent, and signs the permit and the authorization.
    function _redeemSigned(RedeemCase memory redeemCase) internal returns (ICredits.RedeemRequest memory request) {
        if (redeemCase.kind == ICredits.Kind.Decent) revert RedeemShapeNeedsAnotherChain();
        address customer = redeemCustomer();
        request.permit.customerWallet = customer;
        request.permit.creditSeed = REDEEM_SEED;
        request.permit.amount = redeemCase.amount - redeemCase.usdcAmount;
        request.permit.validBefore = block.timestamp + 1 hours;
        request.intent.amount = redeemCase.amount;
        request.intent.usdcAmount = redeemCase.usdcAmount;
        request.intent.salt = keccak256(abi.encode("redeemkit.RedeemTest.salt", ++_salts));
        request.settlement.kind = redeemCase.kind;
        request.settlement.target = redeemCase.target;
        request.settlement.data = redeemCase.data;
        request.settlement.nftContract = redeemCase.nftContract;
        request.settlement.nftId = redeemCase.nftId;
        // Every redeem is a separate order.
        request.permit.nonce = _credits.intentNonce(
            bytes12(request.intent.salt), customer, _credits.hashSettlement(request.settlement), request.intent
        );
        request.permit.signature = _signature(_credits.hashCreditsAuthorization(request.permit));
        if (request.permit.amount != 0) _mintCredits(customer, request.permit.amount);
        if (redeemCase.usdcAmount != 0) {
            redeemFund(customer, redeemCase.usdcAmount);
            request.usdcAuthorization.method = ICredits.UsdcMethod.ReceiveV2;
            request.usdcAuthorization.signature = _signature(_authorizationDigest(request));
        }
    }

    function _redeemSend(ICredits.RedeemRequest memory request, uint256 gasLimit)
        internal
        returns (bool success, bytes memory answer)
    {
        bytes memory data = abi.encodeCall(ICredits.redeem, (request));
        address credits = address(_credits);
        redeemTestVm.prank(OPERATOR, OPERATOR);
        return credits.call{gas: gasLimit}(data);
    }

    // Internal

    function _setWhitelist(address target, bytes4 selector, uint256 minimumGas) private {
        ICredits credits = redeemCredits();
        _listed[target] = true;
        redeemTestVm.prank(ADMIN);
        credits.setWhitelist(REDEEM_SEED, block.chainid, target, selector, false, true, minimumGas);
    }

    /// @dev Returns whether the credits contract and its USDC exist. They may be missing on a fork that was selected later.
    function _standsHere() private returns (bool) {
        if (address(_credits).code.length == 0) return false;
        IUsdc usdc = redeemUsdc();
        return address(_credits.usdc()) == address(usdc) && usdc.balanceOf(address(_credits)) >= _credits.totalCredits();
    }

    function _deployCredits() private {
        IUsdc usdc = redeemUsdc();
        Setup memory setup;
        bytes memory arguments = abi.encode(usdc, ADMIN, uint48(0), ADMIN, address(0), setup);
        bytes memory code = bytes.concat(RedeemTestCode.credits(), arguments);
        address place;
        assembly ("memory-safe") {
            place := create(0, add(code, 0x20), mload(code))
        }
        if (place == address(0)) revert RedeemCreditsNotDeployable();
        _credits = ICredits(place);
        string[3] memory roles = ["OPERATOR_ROLE", "MINTER_ROLE", "WHITELIST_ROLE"];
        for (uint256 i = 0; i < roles.length; ++i) {
            redeemTestVm.prank(ADMIN);
            RedeemTestAdmin(place).grantRole(keccak256(bytes(roles[i])), i == 0 ? OPERATOR : ADMIN);
        }
        // The contract also holds money of other accounts, which must stay there.
        _mintCredits(OTHER_CUSTOMER, 1_000_000_000_000);
    }

    function _mintCredits(address wallet, uint256 amount) private {
        redeemFund(ADMIN, amount);
        IUsdc usdc = redeemUsdc();
        redeemTestVm.prank(ADMIN);
        usdc.approve(address(_credits), amount);
        redeemTestVm.prank(ADMIN);
        _credits.mint(REDEEM_SEED, wallet, amount);
    }

    function _authorizationDigest(ICredits.RedeemRequest memory request) private returns (bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
                ),
                request.permit.customerWallet,
                address(_credits),
                request.intent.usdcAmount,
                uint256(0),
                request.permit.validBefore,
                request.permit.nonce
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", redeemUsdc().DOMAIN_SEPARATOR(), structHash));
    }

    function _signature(bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = redeemTestVm.sign(CUSTOMER_KEY, digest);
        return abi.encodePacked(r, s, v);
    }
}
