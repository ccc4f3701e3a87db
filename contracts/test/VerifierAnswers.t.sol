// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {MockVerifier} from "./mocks/Wallets.sol";

/// @title Returns 31 zero bytes
contract ShortVerifier {
    fallback() external {
        assembly {
            mstore(0, 0)
            return(0, 31)
        }
    }
}

contract VerifierAnswersTest is CreditsFixture {
    /// @dev Without a length check, the last byte of the word would come from memory: the last byte of the relayer's address.
    function test_verifier_shortAnswerMeansNo() public {
        address relayer = address(uint160(uint256(keccak256("relayer")) << 8 | 1));
        _useVerifier(address(new ShortVerifier()), relayer);
        ICredits.RedeemRequest memory request = _request(_token(receiver), 1000, 0, 1);
        _bind(request);
        request.permit.signature = hex"01";
        bytes32 digest = credits.hashCreditsAuthorization(request.permit);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(ICredits.InvalidPermitSignature.selector, customer, digest));
        credits.redeem(request);
    }

    /// @dev An access key's signature starts with 0x04. Other signatures can have the same length.
    function test_verifier_longSignatureIsNotAnAccessKeys() public {
        MockVerifier verifier = new MockVerifier();
        _useVerifier(address(verifier), operator);
        ICredits.RedeemRequest memory request = _request(_token(receiver), 1000, 0, 1);
        _bind(request);
        request.permit.signature = bytes.concat(hex"01", new bytes(80));
        verifier.accept(customer, credits.hashCreditsAuthorization(request.permit), request.permit.signature);
        _redeem(request);
        vm.assertEq(usdc.balanceOf(receiver), 1000);
    }

    /// @dev A permit would bypass the limits of an access key, so limited access keys are refused.
    function test_verifier_limitedAccessKeyIsRefused() public {
        _useVerifier(address(new MockVerifier()), operator);
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        _bind(request);
        request.permit.signature = abi.encodePacked(bytes1(0x04), customer, new bytes(65));
        bytes32 digest = credits.hashCreditsAuthorization(request.permit);
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.InvalidPermitSignature.selector, customer, digest)
        );
    }

    function _useVerifier(address verifier, address relayer) private {
        credits = _newCredits(address(usdc), verifier);
        vm.startPrank(admin);
        credits.grantRole(credits.OPERATOR_ROLE(), relayer);
        credits.grantRole(credits.MINTER_ROLE(), minter);
        vm.stopPrank();
        _mintCredits(SEED, customer, DOLLAR);
    }
}
