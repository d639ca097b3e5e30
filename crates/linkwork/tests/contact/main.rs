//! Contact, by law and by reference (`docs/adr/0028-contact.md`).

mod ground;
