"""Certificates of a lab: its authority, and those that it issues to the hub and machines.

Needs the package cryptography, which comes with the extra `lab`.
"""

import datetime
import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from inspector.errors import BadInput
from inspector.platform import files
from inspector.units import clip

_DAYS = 3_650  # that a certificate is valid: ten years


def make_authority(folder: Path) -> None:
    """Make the key of a lab and its certificate, which signs the others, in a folder."""
    key = _new_key()
    name = _name("Inspector lab")
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=True,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    made = (
        _builder(name, name, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(identifier, critical=False)
        .sign(key, hashes.SHA256())
    )
    write_secret(folder / "authority.key", _key_text(key).encode())
    write_secret(folder / "authority.pem", _text(made).encode())


def issued(folder: Path, user: str, addresses: Sequence[str], server: bool) -> tuple[str, str]:
    """Return a certificate and its key as PEM. Newer versions of Python want all extensions."""
    authority = x509.load_pem_x509_certificate((folder / "authority.pem").read_bytes())
    body = (folder / "authority.key").read_bytes()
    signer: Any = serialization.load_pem_private_key(body, None)
    key = _new_key()
    public = key.public_key()
    named = [x509.DNSName(user), *map(_general_name, addresses)]
    purpose = ExtendedKeyUsageOID.SERVER_AUTH if server else ExtendedKeyUsageOID.CLIENT_AUTH
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=False, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    made = (
        _builder(_name(user), authority.subject, public)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(x509.SubjectAlternativeName(named), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(issuer, critical=False)
        .sign(signer, hashes.SHA256())
    )
    return _text(made), _key_text(key)


def write_secret(path: Path, body: bytes) -> None:
    """Write a file that only its owner can read."""
    files.write_atomic(path, body)
    os.chmod(path, 0o600)


def _builder(subject: Any, issuer: Any, public: Any) -> Any:
    day, now = datetime.timedelta(days=1), datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)  # clocks of devices may be behind
        .not_valid_after(now + _DAYS * day)
    )


def _general_name(address: str) -> Any:
    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        pass
    try:
        return x509.DNSName(address)
    except ValueError as error:
        why = f"'{clip(address, 60)}' is not the name or IP address of a machine"
        raise BadInput("Could not set up the hub", why) from error


def _name(text: str) -> Any:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _new_key() -> Any:
    return ec.generate_private_key(ec.SECP256R1())


def _text(certificate: Any) -> str:
    return str(certificate.public_bytes(serialization.Encoding.PEM).decode())


def _key_text(key: Any) -> str:
    plain = serialization.NoEncryption()
    made = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain
    )
    return str(made.decode())
